#pragma once

#include "ui/state/table/table_layout.h"

#include <cstdint>
#include <optional>

namespace highwater::ui {

/// Sort order of rows as shown in a header. Pure functions on layouts. Any thread.

/// The sort arrow of a column.
struct SortMark {
    int priority = 0; ///< starts at 0
    bool descending = true;
    friend bool operator==(const SortMark&, const SortMark&) = default;
};

enum class SortStep : std::uint8_t {
    Replace, ///< sorts by this column alone; repeated: reverses the order
    Add,     ///< adds a sort level; if the column already is one: reverses its order
};
/// Numbers start with the largest; times, addresses and text with the smallest. Unchanged for the line number.
[[nodiscard]] TableLayout cycleSort(const TableLayout& layout, int section, SortStep step);
/// Sorts by this column alone, or changes its existing level.
[[nodiscard]] TableLayout sortBy(const TableLayout& layout, int section, bool descending);
/// Nothing: the column is not part of the sort order.
[[nodiscard]] std::optional<SortMark> sortMark(const TableLayout& layout, int section);

} // namespace highwater::ui
