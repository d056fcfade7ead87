#include "core/analysis/rows/cell_rows.h"

#include <numeric>

namespace highwater::analysis {

std::optional<CellRows> CellRows::collect(const Population& population, const std::stop_token& stop) {
    // Two passes over the rows instead of one that stores the cell of every row, because the second pass finds rows in
    // order and does not have to sort them.
    CellRows found;
    found.firsts_.resize(population.cells().size() + 1);
    const bool isCounted = population.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            ++found.firsts_[member.cell + std::size_t{1}];
        }
    });
    if (!isCounted) return std::nullopt;
    std::partial_sum(found.firsts_.begin(), found.firsts_.end(), found.firsts_.begin());
    found.rows_.resize(found.firsts_.back());
    auto next = found.firsts_;
    const bool isPlaced = population.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            found.rows_[next[member.cell]++] = member.row;
        }
    });
    if (!isPlaced) return std::nullopt;
    return found;
}

std::span<const RowRef> CellRows::of(std::uint32_t cell) const {
    return std::span(rows_).subspan(firsts_[cell], firsts_[cell + std::size_t{1}] - firsts_[cell]);
}

} // namespace highwater::analysis
