#include "core/symbols/pdb/pdb_module.h"

#include "core/base/seeded_hash.h"
#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>
#include <array>

namespace highwater::symbols {
namespace {

constexpr std::uint32_t kNoLine = 0xFFFFFFFFu;
// Lines that the compiler marks as "never step in" and "always step over". They are not source lines.
constexpr std::uint32_t kHiddenLine1 = 0xFEEFEE;
constexpr std::uint32_t kHiddenLine2 = 0xF00F00;

enum RecordKind : std::uint16_t {
    S_END = 0x0006,
    S_THUNK32 = 0x1102,
    S_LPROC32 = 0x110F,
    S_GPROC32 = 0x1110,
    S_LPROC32_ID = 0x1146,
    S_GPROC32_ID = 0x1147,
    S_INLINESITE = 0x114D,
    S_INLINESITE_END = 0x114E,
    S_PROC_ID_END = 0x114F,
    S_LPROC32_DPC = 0x1155,
    S_LPROC32_DPC_ID = 0x1156,
    S_INLINESITE2 = 0x115D,
};

enum LinePart : std::uint32_t { Lines = 0xF2, Checksums = 0xF4, InlineeLines = 0xF6, Imports = 0xF7, Exports = 0xF8 };

struct FunctionRecord {
    std::uint32_t parent;
    std::uint32_t end;
    std::uint32_t next;
    std::uint32_t bytes;
    std::uint32_t debugBegin;
    std::uint32_t debugEnd;
    std::uint32_t type;
    std::uint32_t offset;
    std::uint16_t segment;
};
constexpr std::size_t kFunctionNameAt = 35; // after the segment and a byte of flags

struct InlineSiteRecord {
    std::uint32_t parent;
    std::uint32_t end;
    std::uint32_t inlinee;
};

bool isFunction(std::uint16_t kind) {
    switch (kind) {
    case S_LPROC32:
    case S_GPROC32:
    case S_LPROC32_ID:
    case S_GPROC32_ID:
    case S_LPROC32_DPC:
    case S_LPROC32_DPC_ID:
        return true;
    default:
        return false;
    }
}

/// The numbers of inline annotations: 7, 14 or 29 bits in 1, 2 or 4 bytes, high byte first.
class AnnotationReader {
  public:
    explicit AnnotationReader(ByteSpan bytes) : bytes_(bytes) {}

    [[nodiscard]] std::optional<std::uint32_t> next() {
        const auto first = byte(0);
        if (!first) return std::nullopt;
        if ((*first & 0x80u) == 0) return take(1, *first);
        if ((*first & 0x40u) == 0) {
            const auto second = byte(1);
            if (!second) return std::nullopt;
            return take(2, ((*first & 0x3Fu) << 8) | *second);
        }
        if ((*first & 0x20u) != 0 || !byte(3)) return std::nullopt;
        return take(4, ((*first & 0x1Fu) << 24) | (*byte(1) << 16) | (*byte(2) << 8) | *byte(3));
    }
    /// The lowest bit is the sign.
    [[nodiscard]] std::optional<std::uint32_t> nextSigned() {
        const auto value = next();
        return value ? std::optional(signedOf(*value)) : std::nullopt;
    }
    static std::uint32_t signedOf(std::uint32_t value) { return (value & 1u) != 0 ? 0u - (value >> 1) : value >> 1; }

  private:
    [[nodiscard]] std::optional<std::uint32_t> byte(std::size_t i) const {
        if (offset_ + i >= bytes_.size()) return std::nullopt;
        return std::to_integer<std::uint32_t>(bytes_[offset_ + i]);
    }
    std::uint32_t take(std::size_t count, std::uint32_t value) {
        offset_ += count;
        return value;
    }

    ByteSpan bytes_;
    std::size_t offset_ = 0;
};

enum Annotation : std::uint32_t {
    CodeOffset = 1,
    ChangeCodeOffsetBase = 2,
    ChangeCodeOffset = 3,
    ChangeCodeLength = 4,
    ChangeFile = 5,
    ChangeLineOffset = 6,
    ChangeLineEndDelta = 7,
    ChangeRangeKind = 8,
    ChangeColumnStart = 9,
    ChangeColumnEndDelta = 10,
    ChangeCodeOffsetAndLineOffset = 11,
    ChangeCodeLengthAndCodeOffset = 12,
    ChangeColumnEnd = 13,
};

/// Turns annotations into ranges: each change of the code offset starts one, which ends at the next change or after a
/// length.
class RangeBuilder {
  public:
    RangeBuilder(Rva base, PdbInlineSite& site, std::uint32_t file, std::uint32_t line)
        : site_(site), base_(base), file_(file), line_(line) {}

    void setOffset(std::uint32_t offset) {
        offset_ = offset;
        begin();
    }
    void advance(std::uint32_t delta) { setOffset(offset_ + delta); }
    void addLine(std::uint32_t delta) { line_ += delta; }
    void setFile(std::uint32_t file) { file_ = file; }
    /// The next offset counts from the end of the range.
    void closeAndAdvance(std::uint32_t bytes) {
        offset_ += bytes;
        end(base_ + offset_);
    }
    /// The next offset counts from the start of the range.
    void close(std::uint32_t bytes) { end(base_ + offset_ + bytes); }

  private:
    void begin() {
        end(base_ + offset_);
        site_.ranges.push_back({base_ + offset_, base_ + offset_, file_, line_});
        isOpen_ = true;
    }
    void end(Rva at) {
        if (isOpen_) site_.ranges.back().end = std::max(site_.ranges.back().begin, at);
        isOpen_ = false;
    }

    PdbInlineSite& site_;
    Rva base_;
    std::uint32_t offset_ = 0;
    std::uint32_t file_;
    std::uint32_t line_;
    bool isOpen_ = false;
};

/// Returns false at the end of the annotations.
bool apply(std::uint32_t operation, AnnotationReader& reader, RangeBuilder& ranges) {
    const auto value = reader.next();
    if (!value) return false;
    switch (operation) {
    case CodeOffset:
        ranges.setOffset(*value);
        return true;
    case ChangeCodeOffset:
        ranges.advance(*value);
        return true;
    case ChangeCodeLength:
        ranges.closeAndAdvance(*value);
        return true;
    case ChangeFile:
        ranges.setFile(*value);
        return true;
    case ChangeLineOffset:
        ranges.addLine(AnnotationReader::signedOf(*value));
        return true;
    case ChangeCodeOffsetAndLineOffset:
        ranges.addLine(AnnotationReader::signedOf(*value >> 4));
        ranges.advance(*value & 0xFu);
        return true;
    case ChangeCodeLengthAndCodeOffset: {
        const auto offset = reader.next();
        if (!offset) return false;
        ranges.advance(*offset);
        ranges.close(*value);
        return true;
    }
    case ChangeCodeOffsetBase:
    case ChangeLineEndDelta:
    case ChangeRangeKind:
    case ChangeColumnStart:
    case ChangeColumnEndDelta:
    case ChangeColumnEnd:
        return true;
    default:
        return false; // 0 is padding; the rest after an unknown annotation cannot be read
    }
}

} // namespace

PdbModule::PdbModule(const MsfFile& msf, const PdbLayout& layout, const PdbModuleEntry& entry)
    : stream_(msf.read(entry.stream)) {
    const auto all = stream_.bytes();
    symbols_ = all.first(std::min<std::size_t>(entry.symbolBytes, all.size()));
    const auto linesAt = std::size_t{entry.symbolBytes} + entry.oldLineBytes;
    if (linesAt <= all.size())
        readLines(layout, all.subspan(linesAt, std::min<std::size_t>(entry.lineBytes, all.size() - linesAt)));
    readFunctions(layout);
}

void PdbModule::readFunctions(const PdbLayout& layout) {
    PdbRecordReader reader(symbols_, 4); // after the signature
    while (const auto record = reader.next()) {
        if (!isFunction(record->kind)) continue;
        const auto function = loadAt<FunctionRecord>(record->content, 0);
        const auto begin = function ? layout.toRva(function->segment, function->offset) : std::nullopt;
        if (!begin || function->bytes == 0) continue;
        const auto endRecord = std::min<std::size_t>(function->end, symbols_.size());
        functions_.push_back(
            {*begin, *begin + function->bytes, textAt(record->content, kFunctionNameAt), record->end, endRecord});
        // The records inside are blocks, variables and inlined calls, which are read on demand.
        if (endRecord > record->end) reader = PdbRecordReader(symbols_, endRecord);
    }
    std::stable_sort(functions_.begin(), functions_.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

void PdbModule::readLines(const PdbLayout& layout, ByteSpan part) {
    ByteReader reader(part);
    for (;;) {
        const auto kind = reader.take<std::uint32_t>();
        const auto bytes = reader.take<std::uint32_t>();
        const auto content = kind && bytes ? reader.takeBytes(*bytes) : std::nullopt;
        if (!content) break;
        (void)reader.skip(std::min<std::size_t>((4 - reader.offset() % 4) % 4, reader.remaining()));
        if (*kind == Lines) readLineRun(layout, *content);
        if (*kind == Checksums) checksums_ = *content;
        if (*kind == InlineeLines) readInlinees(*content);
        if (*kind == Imports) readImports(*content);
        if (*kind == Exports) exports_ = *content;
    }
    std::stable_sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

void PdbModule::readLineRun(const PdbLayout& layout, ByteSpan part) {
    ByteReader reader(part);
    const auto offset = reader.take<std::uint32_t>();
    const auto segment = reader.take<std::uint16_t>();
    (void)reader.skip(2);
    const auto codeBytes = reader.take<std::uint32_t>();
    const auto base = codeBytes ? layout.toRva(*segment, *offset) : std::nullopt;
    if (!base) return;
    const auto firstLine = lines_.size();
    for (;;) {
        const auto file = reader.take<std::uint32_t>();
        const auto count = reader.take<std::uint32_t>();
        const auto bytes = reader.take<std::uint32_t>();
        if (!bytes || *bytes < 12) break;
        const auto block = reader.takeBytes(*bytes - 12);
        if (!block) break;
        ByteReader entries(*block);
        for (std::uint32_t i = 0; i < *count; ++i) {
            const auto at = entries.take<std::uint32_t>();
            const auto bits = entries.take<std::uint32_t>();
            if (!bits) break;
            const auto line = *bits & 0xFFFFFFu;
            const bool isHidden = line == kHiddenLine1 || line == kHiddenLine2;
            lines_.push_back({*base + *at, *file, isHidden ? 0 : line});
        }
    }
    // Each source file has its own block; lines are sorted only within a block.
    std::stable_sort(lines_.begin() + static_cast<std::ptrdiff_t>(firstLine), lines_.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
    runs_.push_back({*base, *base + *codeBytes, firstLine, lines_.size()});
}

// For each module that ids are imported from: u32 offset of its name, u32 count, ids
void PdbModule::readImports(ByteSpan part) {
    constexpr std::size_t kMostImports = 0x800; // limit of 11 bits
    ByteReader reader(part);
    imports_.clear();
    while (imports_.size() < kMostImports) {
        const auto moduleName = reader.take<std::uint32_t>();
        const auto count = reader.take<std::uint32_t>();
        const auto ids = count ? reader.takeBytes(std::size_t{*count} * 4) : std::nullopt;
        if (!ids) return;
        imports_.push_back({*moduleName, *ids});
    }
}

void PdbModule::readInlinees(ByteSpan part) {
    ByteReader reader(part);
    const auto hasMoreFiles = reader.take<std::uint32_t>().value_or(0) == 1;
    for (;;) {
        const auto inlinee = reader.take<std::uint32_t>();
        const auto file = reader.take<std::uint32_t>();
        const auto line = reader.take<std::uint32_t>();
        if (!line) return;
        inlinees_.try_emplace(*inlinee, Inlinee{*file, *line});
        if (!hasMoreFiles) continue;
        const auto more = reader.take<std::uint32_t>();
        if (!more || !reader.skip(std::size_t{*more} * 4)) return;
    }
}

const PdbFunction* PdbModule::functionAt(Rva linked) const {
    const auto after = std::upper_bound(functions_.begin(), functions_.end(), linked,
                                        [](Rva a, const auto& function) { return a < function.begin; });
    if (after == functions_.begin()) return nullptr;
    // Uses the first of several functions at the same address. Lengths differ only in damaged files.
    const auto first = std::lower_bound(functions_.begin(), after, std::prev(after)->begin,
                                        [](const auto& function, Rva a) { return function.begin < a; });
    return linked < first->end ? &*first : nullptr;
}

const PdbLine* PdbModule::lineAt(Rva linked) const {
    const auto behind =
        std::upper_bound(runs_.begin(), runs_.end(), linked, [](Rva a, const auto& r) { return a < r.begin; });
    if (behind == runs_.begin()) return nullptr;
    // Folded functions have a run each. The first one belongs to the function that functionAt() returns.
    const auto run = std::lower_bound(runs_.begin(), behind, std::prev(behind)->begin,
                                      [](const auto& r, Rva a) { return r.begin < a; });
    if (linked >= run->end) return nullptr;
    const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(run->firstLine);
    const auto after = std::upper_bound(first, lines_.begin() + static_cast<std::ptrdiff_t>(run->endLine), linked,
                                        [](Rva a, const auto& line) { return a < line.begin; });
    if (after == first) return nullptr;
    auto line = std::prev(after);
    // If several lines have the same address, the last one covers the bytes that follow. At the address itself LLVM
    // uses the first.
    while (line->begin == linked && line != first && std::prev(line)->begin == linked)
        --line;
    return &*line;
}

std::optional<std::uint32_t> PdbModule::fileName(std::uint32_t file) const {
    return loadAt<std::uint32_t>(checksums_, file);
}

// A foreign id: bit 31 set | 11 bits: index of the imported module | 20 bits: index of the id imported from it
std::optional<PdbModule::ForeignId> PdbModule::foreignId(std::uint32_t inlinee) const {
    const auto number = (inlinee >> 20) & 0x7FFu;
    if (inlinee >> 31 == 0 || number >= imports_.size()) return std::nullopt;
    const auto& import = imports_[number];
    const auto id = loadAt<std::uint32_t>(import.ids, std::size_t{inlinee & 0xFFFFFu} * 4);
    return id ? std::optional(ForeignId{import.moduleName, *id}) : std::nullopt;
}

tsl::robin_map<std::uint32_t, std::uint32_t, SeededHash> PdbModule::exportedIds() const {
    tsl::robin_map<std::uint32_t, std::uint32_t, SeededHash> ids;
    ByteReader reader(exports_);
    while (const auto own = reader.take<std::uint32_t>()) {
        if (const auto global = reader.take<std::uint32_t>()) ids.try_emplace(*own, *global);
    }
    return ids;
}

std::vector<PdbInlineSite> PdbModule::inlineSites(const PdbFunction& function) const {
    std::vector<PdbInlineSite> sites;
    std::vector<std::size_t> open; // indices + 1
    PdbRecordReader reader(symbols_.first(function.endRecord), function.firstRecord);
    while (const auto record = reader.next()) {
        if (record->kind == S_INLINESITE_END && !open.empty()) open.pop_back();
        if (record->kind != S_INLINESITE && record->kind != S_INLINESITE2) continue;
        const auto site = loadAt<InlineSiteRecord>(record->content, 0);
        const std::size_t annotationsAt = record->kind == S_INLINESITE2 ? 16 : 12;
        if (!site || record->content.size() < annotationsAt) continue;
        sites.push_back({site->inlinee, open.empty() ? 0 : open.back(), {}});
        readAnnotations(record->content.subspan(annotationsAt), function.begin, sites.back());
        open.push_back(sites.size());
    }
    return sites;
}

void PdbModule::readAnnotations(ByteSpan bytes, Rva functionBegin, PdbInlineSite& site) const {
    const auto inlinee = inlinees_.find(site.inlinee);
    const auto known = inlinee != inlinees_.end();
    RangeBuilder ranges(functionBegin, site, known ? inlinee->second.file : kNoLine, known ? inlinee->second.line : 0);
    AnnotationReader reader(bytes);
    while (const auto operation = reader.next()) {
        if (!apply(*operation, reader, ranges)) break;
    }
}

} // namespace highwater::symbols
