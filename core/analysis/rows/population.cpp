#include "core/analysis/rows/population.h"

#include "core/base/seeded_hash.h"

namespace highwater::analysis {

std::size_t CellKeyHash::operator()(const CellKey& key) const noexcept {
    const auto facts = (static_cast<std::uint64_t>(key.table) << 24) | (static_cast<std::uint64_t>(key.type) << 16) |
                       (static_cast<std::uint64_t>(key.impact) << 12) | (std::uint64_t{key.freeType} << 4) |
                       (key.isTemporary ? 2u : 0u) | (key.isRealloc ? 1u : 0u);
    return static_cast<std::size_t>(seededHash((std::uint64_t{key.site} << 32) | key.endSite, facts));
}

void Population::keepCells(const std::vector<std::uint8_t>& keep) {
    std::vector<std::uint32_t> numbers(cells_.size(), kNoCell);
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        if (keep[i] == 0) continue;
        cells_[kept] = cells_[i];
        numbers[i] = kept++;
    }
    cells_.resize(kept);
    renumberCells(numbers);
}

std::uint32_t CellIndex::cellOf(const CellKey& key, std::vector<Cell>& cells) {
    const auto [entry, isNew] = numbers_.try_emplace(key, static_cast<std::uint32_t>(cells.size()));
    if (isNew) cells.push_back(Cell{key, {}});
    return entry->second;
}

std::uint32_t CellIndex::find(const CellKey& key) const {
    const auto found = numbers_.find(key);
    return found == numbers_.end() ? kNoCell : found->second;
}

void CellIndex::renumber(const std::vector<std::uint32_t>& numbers) {
    for (auto entry = numbers_.begin(); entry != numbers_.end(); ++entry) {
        entry.value() = entry->second == kNoCell ? kNoCell : numbers[entry->second];
    }
}

} // namespace highwater::analysis
