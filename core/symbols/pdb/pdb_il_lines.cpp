#include "core/symbols/pdb/pdb_il_lines.h"

#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

constexpr std::uint16_t kGlobalManaged = 0x112A, kLocalManaged = 0x112B; // S_GMANPROC, S_LMANPROC
constexpr std::uint32_t kLinesPart = 0xF2, kChecksumsPart = 0xF4;
constexpr std::uint32_t kNoSource1 = 0xFEEFEE, kNoSource2 = 0xF00F00; ///< lines without source

/// u32 parent, end, next, bytes, start and end for debuggers; then the members
struct ManagedMethod {
    std::uint32_t before[6];
    std::uint32_t token;
    std::uint32_t offset;
    std::uint16_t segment;
    std::uint16_t rest;
};
static_assert(sizeof(ManagedMethod) == 36);

std::uint64_t placeKey(std::uint16_t segment, std::uint32_t offset) { return (std::uint64_t{segment} << 32) | offset; }

ByteSpan lineParts(const PdbModuleEntry& entry, ByteSpan all) {
    const auto at = std::size_t{entry.symbolBytes} + entry.oldLineBytes;
    return at <= all.size() ? all.subspan(at, std::min<std::size_t>(entry.lineBytes, all.size() - at)) : ByteSpan();
}

/// Calls visit(kind, content) for each part.
template <typename Visit>
void eachPart(ByteSpan parts, Visit visit) {
    ByteReader reader(parts);
    for (;;) {
        const auto kind = reader.take<std::uint32_t>();
        const auto bytes = reader.take<std::uint32_t>();
        const auto content = kind && bytes ? reader.takeBytes(*bytes) : std::nullopt;
        if (!content) return;
        (void)reader.skip(std::min<std::size_t>((4 - reader.offset() % 4) % 4, reader.remaining()));
        visit(*kind, *content);
    }
}

} // namespace

PdbIlLines::PdbIlLines(const MsfFile& msf, const PdbLayout& layout) : msf_(msf), layout_(layout) {
    for (std::size_t module = 0; module < layout_.modules().size(); ++module)
        findMethods(module);
}

void PdbIlLines::findMethods(std::size_t module) {
    const auto& entry = layout_.modules()[module];
    const auto stream = msf_.read(entry.stream, 0, entry.symbolBytes);
    PdbRecordReader reader(stream.bytes(), 4); // after the signature
    while (const auto record = reader.next()) {
        if (record->kind != kGlobalManaged && record->kind != kLocalManaged) continue;
        const auto method = loadAt<ManagedMethod>(record->content, 0);
        if (method) methods_.try_emplace(method->token, Method{module, method->offset, method->segment});
    }
}

void PdbIlLines::readLines(std::size_t module) {
    read_ = module;
    points_.clear();
    runs_.clear();
    const auto& entry = layout_.modules()[module];
    const auto stream = msf_.read(entry.stream);
    const auto parts = lineParts(entry, stream.bytes());
    ByteSpan checksums;
    eachPart(parts, [&](std::uint32_t kind, ByteSpan content) {
        if (kind == kChecksumsPart) checksums = content;
    });
    eachPart(parts, [&](std::uint32_t kind, ByteSpan content) {
        if (kind == kLinesPart) readRun(content, checksums);
    });
    std::stable_sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
}

// u32 offset, u16 segment, u16 flags, u32 bytes; for each file u32 offset of its checksum, u32 lines, u32 bytes; for
// each line u32 offset in the IL, u32 with the line in 24 bits
void PdbIlLines::readRun(ByteSpan part, ByteSpan checksums) {
    ByteReader reader(part);
    const auto offset = reader.take<std::uint32_t>();
    const auto segment = reader.take<std::uint16_t>();
    if (!segment || !reader.skip(6)) return;
    const auto first = points_.size();
    for (;;) {
        const auto file = reader.take<std::uint32_t>();
        const auto count = reader.take<std::uint32_t>();
        const auto bytes = reader.take<std::uint32_t>();
        const auto block = bytes && *bytes >= 12 ? reader.takeBytes(*bytes - 12) : std::nullopt;
        if (!block) break;
        const auto name = loadAt<std::uint32_t>(checksums, *file);
        ByteReader lines(*block);
        for (std::uint32_t i = 0; name && i < *count; ++i) {
            const auto at = lines.take<std::uint32_t>();
            const auto bits = lines.take<std::uint32_t>();
            if (!bits) break;
            const auto line = *bits & 0xFFFFFFu;
            if (line != kNoSource1 && line != kNoSource2) points_.push_back({*at, *name, line});
        }
    }
    std::stable_sort(points_.begin() + static_cast<std::ptrdiff_t>(first), points_.end(),
                     [](const auto& a, const auto& b) { return a.ilOffset < b.ilOffset; });
    runs_.push_back({placeKey(*segment, *offset), first, points_.size()});
}

std::optional<std::size_t> PdbIlLines::moduleOf(std::uint32_t token) const {
    const auto method = methods_.find(token);
    return method == methods_.end() ? std::nullopt : std::optional(method->second.module);
}

std::optional<PdbIlLines::Line> PdbIlLines::lineAt(IlPlace place) {
    const auto method = methods_.find(place.token);
    if (method == methods_.end()) return std::nullopt;
    if (read_ != method->second.module) readLines(method->second.module);
    const auto key = placeKey(method->second.segment, method->second.offset);
    const auto run = std::lower_bound(runs_.begin(), runs_.end(), key,
                                      [](const auto& one, std::uint64_t k) { return one.place < k; });
    if (run == runs_.end() || run->place != key) return std::nullopt;
    const auto first = points_.begin() + static_cast<std::ptrdiff_t>(run->first);
    const auto after = std::upper_bound(first, points_.begin() + static_cast<std::ptrdiff_t>(run->end), place.offset,
                                        [](std::uint32_t o, const auto& point) { return o < point.ilOffset; });
    if (after == first) return std::nullopt;
    return Line{std::prev(after)->fileName, std::prev(after)->line};
}

} // namespace highwater::symbols
