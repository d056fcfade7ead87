#include "core/analysis/rows/population.h"

#include "core/base/seeded_hash.h"

namespace highwater::analysis {

std::size_t CellKeyHash::operator()(const CellKey& key) const noexcept {
    const auto facts = (static_cast<std::uint64_t>(key.table) << 24) | (static_cast<std::uint64_t>(key.type) << 16) |
                       (static_cast<std::uint64_t>(key.impact) << 12) | (std::uint64_t{key.freeType} << 4) |
                       (key.isTemporary ? 2u : 0u) | (key.isRealloc ? 1u : 0u);
    const auto labelled = facts ^ (std::uint64_t{key.annotation} << 32) ^ (std::uint64_t{key.instance} << 26);
    return static_cast<std::size_t>(seededHash((std::uint64_t{key.site} << 32) | key.endSite, labelled));
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

std::vector<std::uint8_t> Population::annotateCells(LabelsOfRows& labels) {
    std::vector<std::uint8_t> hasSeveral;
    for (auto& cell : cells_) {
        const auto label = labels.keyOf(cell.key);
        hasSeveral.push_back(label ? 0 : 1);
        cell.key.annotation = label.value_or(0);
    }
    return hasSeveral;
}

std::optional<Population::AnnotatedRows> Population::annotateRows(const std::vector<std::uint8_t>& ofCells,
                                                                  LabelsOfRows& labels,
                                                                  const std::stop_token& stop) const {
    AnnotatedRows annotated;
    CellIndex index;
    const bool finished = visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            if (ofCells[member.cell] == 0) continue;
            auto row = facts(member.row);
            row.key.annotation = labels.keyOf(row);
            const auto cell = index.cellOf(row.key, annotated.cells);
            annotated.cells[cell].sums += row.sums;
            annotated.rows.push_back({member.row, cell});
        }
    });
    if (!finished) return std::nullopt;
    return annotated;
}

std::uint32_t Population::replaceCells(const std::vector<std::uint8_t>& replaced, Cells cells) {
    std::vector<std::uint8_t> keep;
    for (const auto isReplaced : replaced)
        keep.push_back(isReplaced == 0 ? 1 : 0);
    keepCells(keep);
    const auto first = static_cast<std::uint32_t>(cells_.size());
    cells_.insert(cells_.end(), cells.begin(), cells.end());
    return first;
}

std::uint32_t CellIndex::cellOf(const CellKey& key, Cells& cells) {
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
