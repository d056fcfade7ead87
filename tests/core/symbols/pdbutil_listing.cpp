#include "tests/core/symbols/pdbutil_listing.h"

#include "tests/core/symbols/symbol_programs.h"

#include <QRegularExpression>

#include <algorithm>

namespace highwater::tests {
namespace {

using Expression = QRegularExpression;

/// The state that the decoded annotations of one inlined call describe.
struct Decoder {
    PdbutilListing::InlineSite* site = nullptr;
    std::uint64_t functionBegin = 0;
    std::uint64_t offset = 0;
    std::int64_t line = 0;
    bool isOpen = false;

    void begin(std::uint64_t at) {
        end(at);
        offset = at;
        site->ranges.push_back({functionBegin + at, functionBegin + at, line});
        isOpen = true;
    }
    void end(std::uint64_t at) {
        if (isOpen) site->ranges.back().end = functionBegin + at;
        isOpen = false;
    }
    /// "code 0x54 (+0xA) line 2 (-0)", "line 3 (+2)", "code 0x53 (+0xA) code end 0x5F (+0xC)", "code end 0x4A (+0x6)"
    void apply(const QString& text) {
        static const Expression lineForm("line (-?\\d+) \\("), codeForm("code 0x([0-9A-F]+) \\("),
            endForm("code end 0x([0-9A-F]+) \\(");
        const auto newLine = lineForm.match(text);
        if (newLine.hasMatch()) line = newLine.captured(1).toLongLong();
        const auto code = codeForm.match(text);
        if (code.hasMatch()) begin(code.captured(1).toULongLong(nullptr, 16));
        const auto stop = endForm.match(text);
        if (stop.hasMatch()) end(stop.captured(1).toULongLong(nullptr, 16));
    }
};

} // namespace

bool PdbutilListing::read(const QString& pdb) {
    const auto tool = llvmTool("llvm-pdbutil");
    if (tool.isEmpty()) return false;
    readSections(runTool(tool, {"dump", "-section-headers", pdb}));
    readSymbols(runTool(tool, {"dump", "-symbols", pdb}));
    readInlinees(runTool(tool, {"dump", "-il", pdb}));
    readLines(runTool(tool, {"dump", "-l", pdb}));
    return !sections_.empty() && !functions_.empty();
}

void PdbutilListing::readSections(const QString& text) {
    static const Expression form("([0-9A-F]+) virtual address");
    for (auto it = form.globalMatch(text); it.hasNext();)
        sections_.push_back(it.next().captured(1).toULongLong(nullptr, 16));
}

std::uint64_t PdbutilListing::toAddress(unsigned segment, std::uint64_t offset) const {
    return segment == 0 || segment > sections_.size() ? 0 : sections_[segment - 1] + offset;
}

void PdbutilListing::readSymbols(const QString& text) {
    static const Expression moduleForm("^Mod (\\d+) \\|"), functionForm("\\| S_[GL]PROC32 \\[size = \\d+\\] `(.*)`"),
        placeForm("addr = (\\d+):(\\d+), code size = (\\d+)"), siteForm("\\| S_INLINESITE \\["),
        inlineeForm("inlinee = 0x([0-9A-F]+)(?: \\((.*)\\))?, parent"),
        annotationForm("^ {9,15}([0-9A-F]{2,8}) +(\\S.*)$");
    unsigned module = 0;
    unsigned depth = 0;
    QString name;
    Decoder decoder;
    for (const auto& line : text.split('\n')) {
        if (const auto m = moduleForm.match(line); m.hasMatch()) module = m.captured(1).toUInt();
        if (line.contains("| S_")) decoder.site = nullptr;
        if (const auto m = functionForm.match(line); m.hasMatch()) name = m.captured(1);
        if (const auto m = placeForm.match(line); m.hasMatch() && !name.isEmpty()) {
            const auto begin = toAddress(m.captured(1).toUInt(), m.captured(2).toULongLong());
            functions_.push_back({name.toStdString(), module, begin, begin + m.captured(3).toULongLong(), {}});
            name.clear();
            depth = 0;
        }
        if (line.contains("| S_INLINESITE_END")) {
            depth = depth == 0 ? 0 : depth - 1;
        } else if (siteForm.match(line).hasMatch() && !functions_.empty()) {
            functions_.back().sites.push_back({{}, 0, ++depth, {}});
            decoder = {&functions_.back().sites.back(), functions_.back().begin, 0, 0, false};
        }
        if (decoder.site == nullptr) continue;
        if (const auto m = inlineeForm.match(line); m.hasMatch()) {
            decoder.site->inlinee = m.captured(1).toUInt(nullptr, 16);
            decoder.site->function = m.captured(2).toStdString();
        } else if (const auto a = annotationForm.match(line); a.hasMatch()) {
            decoder.apply(a.captured(2));
        }
    }
}

void PdbutilListing::readInlinees(const QString& text) {
    static const Expression moduleForm("^Mod (\\d+) \\|"), form("^ *0x([0-9A-F]+) \\| +(\\d+) \\|");
    unsigned module = 0;
    for (const auto& line : text.split('\n')) {
        if (const auto m = moduleForm.match(line); m.hasMatch()) module = m.captured(1).toUInt();
        if (const auto m = form.match(line); m.hasMatch())
            inlineeLines_.try_emplace({module, m.captured(1).toUInt(nullptr, 16)}, m.captured(2).toUInt());
    }
}

void PdbutilListing::readLines(const QString& text) {
    static const Expression runForm("^ +([0-9A-F]+):([0-9A-F]+)-([0-9A-F]+), line"),
        entryForm("(\\d+) ([0-9A-F]{8})\\b");
    for (const auto& line : text.split('\n')) {
        if (const auto m = runForm.match(line); m.hasMatch()) {
            const auto segment = m.captured(1).toUInt(nullptr, 16);
            runs_.push_back({toAddress(segment, m.captured(2).toULongLong(nullptr, 16)),
                             toAddress(segment, m.captured(3).toULongLong(nullptr, 16)),
                             {}});
            continue;
        }
        if (runs_.empty()) continue;
        for (auto it = entryForm.globalMatch(line); it.hasNext();) {
            const auto m = it.next();
            // Entries contain the section's offset; the run specifies the section.
            const auto base = runs_.back().begin;
            const auto offset = m.captured(2).toULongLong(nullptr, 16);
            for (const auto section : sections_) {
                if (section + offset >= base && section + offset <= runs_.back().end && section <= base)
                    runs_.back().lines.push_back({section + offset, m.captured(1).toUInt()});
            }
        }
    }
}

std::vector<const PdbutilListing::Function*> PdbutilListing::functionsAt(std::uint64_t address) const {
    std::vector<const Function*> found;
    for (const auto& function : functions_) {
        if (address >= function.begin && address < function.end) found.push_back(&function);
    }
    return found;
}

std::vector<std::pair<std::string, std::int64_t>> PdbutilListing::inlinedAt(const Function& function,
                                                                            std::uint64_t address) const {
    std::vector<std::pair<std::string, std::int64_t>> chain;
    unsigned depth = 0;
    for (const auto& site : function.sites) {
        if (site.depth != depth + 1) continue;
        for (const auto& range : site.ranges) {
            if (address < range.begin || address >= range.end) continue;
            const auto first = inlineeLines_.find({function.module, site.inlinee});
            chain.insert(chain.begin(), {site.function, first == inlineeLines_.end() ? 0 : first->second + range.line});
            depth = site.depth;
            break;
        }
    }
    return chain;
}

std::vector<unsigned> PdbutilListing::linesAt(std::uint64_t address) const {
    std::vector<unsigned> lines;
    for (const auto& run : runs_) {
        if (address < run.begin || address >= run.end) continue;
        std::uint64_t nearest = 0;
        for (const auto& line : run.lines) {
            if (line.first <= address) nearest = std::max(nearest, line.first);
        }
        for (const auto& line : run.lines) {
            if (line.first == nearest) lines.push_back(line.second); // any of several at one address may count
        }
    }
    return lines;
}

} // namespace highwater::tests
