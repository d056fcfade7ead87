#pragma once

#include "ui/state/table/table_layout.h"

#include <cstdint>
#include <optional>

namespace highwater::ui {

/// What a header shows of the order of rows. Pure functions on layouts. Any thread.

/// What an arrow says.
struct SortMark {
    int priority = 0; ///< from 0
    bool descending = true;
    friend bool operator==(const SortMark&, const SortMark&) = default;
};

enum class SortStep : std::uint8_t {
    Replace, ///< sorts by this column alone; again: the other way round
    Add,     ///< the next level; of a column that is one already: the other way round
};
/// Numbers start with the largest, times, addresses and words with the smallest. Unchanged for the line number.
[[nodiscard]] TableLayout cycleSort(const TableLayout& layout, int section, SortStep step);
/// Sorts by this column alone, or as the level that it is.
[[nodiscard]] TableLayout sortBy(const TableLayout& layout, int section, bool descending);
/// Nothing: the column has no part in the order.
[[nodiscard]] std::optional<SortMark> sortMark(const TableLayout& layout, int section);

} // namespace highwater::ui
