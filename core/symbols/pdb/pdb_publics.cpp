#include "core/symbols/pdb/pdb_publics.h"

#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

constexpr std::uint16_t kPublicKind = 0x110E; // S_PUB32
constexpr std::size_t kNameAt = 10;           // after u32 flags, u32 offset, u16 segment

} // namespace

PdbPublics::PdbPublics(const MsfFile& msf, const PdbLayout& layout) : records_(msf.read(layout.symbolRecordStream())) {
    PdbRecordReader reader(records_.bytes(), 0);
    while (const auto record = reader.next()) {
        if (record->kind != kPublicKind) continue;
        const auto offset = loadAt<std::uint32_t>(record->content, 4);
        const auto segment = loadAt<std::uint16_t>(record->content, 8);
        const auto begin = segment ? layout.toRva(*segment, *offset) : std::nullopt;
        if (begin) symbols_.push_back({*begin, static_cast<std::uint32_t>(record->begin)});
    }
    std::stable_sort(symbols_.begin(), symbols_.end(),
                     [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
}

std::span<const PdbPublics::Symbol> PdbPublics::nearest(Rva linked) const {
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), linked,
                                        [](Rva a, const Symbol& symbol) { return a < symbol.begin; });
    if (after == symbols_.begin()) return {};
    const auto begin = std::lower_bound(symbols_.begin(), after, std::prev(after)->begin,
                                        [](const Symbol& symbol, Rva a) { return symbol.begin < a; });
    return {begin, after};
}

std::string_view PdbPublics::name(const Symbol& symbol) const {
    const auto record = PdbRecordReader(records_.bytes(), symbol.record).next();
    return record ? textAt(record->content, kNameAt) : std::string_view();
}

} // namespace highwater::symbols
