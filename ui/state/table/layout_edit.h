#pragma once

#include "ui/state/table/table_layout.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace highwater::ui {

/// Edits of a table layout, by section (see placeOfSection). Pure functions that return the new layout or the reason
/// for refusal. Invariants: at least one key, no duplicate key, no duplicate value with the same aggregation, graphed
/// <= columns.size(), and no sort level for a removed column. Any thread.

/// Part of a table between its bars.
enum class LayoutZone : std::uint8_t {
    Keys,    ///< left of the gold bar
    Values,  ///< between the bars
    Graphed, ///< right of the blue bar
};
/// A position between columns: before the index-th column of its zone before the change.
struct LayoutDrop {
    LayoutZone zone = LayoutZone::Keys;
    std::size_t index = 0;
    friend bool operator==(const LayoutDrop&, const LayoutDrop&) = default;
};

struct LayoutEdit {
    TableLayout layout; ///< unchanged if refused
    QString refusal;    ///< a sentence: why it is refused; empty: done
    int section = 0;    ///< the column's new section
    [[nodiscard]] bool isRefused() const { return !refusal.isEmpty(); }
};

[[nodiscard]] std::size_t zoneSize(const TableLayout& layout, LayoutZone zone);
/// The zone of a column section.
[[nodiscard]] LayoutZone zoneOfSection(const TableLayout& layout, int section);
/// The section before which a column dropped there is placed.
[[nodiscard]] int sectionOfDrop(const TableLayout& layout, LayoutDrop drop);

/// The column that replaces it left of the gold bar: itself, except for Size, which becomes the size of each block
/// (Column::RowSize). Nothing: a value of a whole group, by which rows cannot be grouped.
[[nodiscard]] std::optional<analysis::Column> asKey(const TableLayout& layout, analysis::ValueColumn column);

/// A key that moves right shows the value common to all rows of a group; a value that moves left groups by its column.
[[nodiscard]] LayoutEdit moveColumn(const TableLayout& layout, int section, LayoutDrop to);
/// To the end of the keys (before a stack, below which each key would repeat), otherwise to the near end of the zone.
[[nodiscard]] LayoutEdit moveToZone(const TableLayout& layout, int section, LayoutZone zone);
enum class Sideways : std::uint8_t { Left, Right };
/// Moves by one step; a bar also counts as a step.
[[nodiscard]] LayoutEdit stepColumn(const TableLayout& layout, int section, Sideways way);
/// Places the bar left of this section; columns that it passes change sides.
[[nodiscard]] LayoutEdit setGoldBar(const TableLayout& layout, int section);
/// The bar stops at the gold bar.
[[nodiscard]] LayoutEdit setBlueBar(const TableLayout& layout, int section);

/// Has no effect if that side already contains it.
[[nodiscard]] LayoutEdit addColumn(const TableLayout& layout, analysis::ValueColumn column, LayoutZone zone);
[[nodiscard]] LayoutEdit removeColumn(const TableLayout& layout, int section);
/// Removes the column everywhere, with any aggregation.
[[nodiscard]] LayoutEdit removeEvery(const TableLayout& layout, analysis::Column column);
[[nodiscard]] bool isShown(const TableLayout& layout, analysis::Column column);

/// Sets the aggregation of a value. Refused if the layout already contains the column with it. The sort order is
/// updated.
[[nodiscard]] LayoutEdit setAggregation(const TableLayout& layout, int section, analysis::Aggregation aggregation);
[[nodiscard]] TableLayout setFormat(const TableLayout& layout, int section, ColumnFormat format);
[[nodiscard]] TableLayout setWidth(const TableLayout& layout, int section, int width);

/// The column of a section; null for the line number.
[[nodiscard]] const LayoutColumn* columnOfSection(const TableLayout& layout, int section);

} // namespace highwater::ui
