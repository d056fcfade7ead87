#pragma once

#include "ui/state/table/table_layout.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace highwater::ui {

/// Changes of a table's layout as a reader asks for them, by section (see placeOfSection). Pure functions: they return
/// the new layout, or say why not. What they keep true: at least one key, no key twice, no value with the same
/// aggregation twice, graphed <= columns.size(), and no level of the sort for a column that was removed. Any thread.

/// A part of a table between its bars.
enum class LayoutZone : std::uint8_t {
    Keys,    ///< left of the gold bar
    Values,  ///< between the bars
    Graphed, ///< right of the blue bar
};
/// A place between columns: before the index-th of its zone, as the zone stands before the change.
struct LayoutDrop {
    LayoutZone zone = LayoutZone::Keys;
    std::size_t index = 0;
    friend bool operator==(const LayoutDrop&, const LayoutDrop&) = default;
};

struct LayoutEdit {
    TableLayout layout; ///< unchanged if refused
    QString refusal;    ///< why it cannot be done, a sentence; empty: done
    int section = 0;    ///< where the column stands now
    [[nodiscard]] bool isRefused() const { return !refusal.isEmpty(); }
};

[[nodiscard]] std::size_t zoneSize(const TableLayout& layout, LayoutZone zone);
/// The zone of a section that shows a column.
[[nodiscard]] LayoutZone zoneOfSection(const TableLayout& layout, int section);
/// The section that a column dropped there stands before.
[[nodiscard]] int sectionOfDrop(const TableLayout& layout, LayoutDrop drop);

/// What the column is called left of the gold bar: itself, but for Size: there each block has one (Column::RowSize).
/// Nothing: a number of a whole group, by which no rows can be grouped.
[[nodiscard]] std::optional<analysis::Column> asKey(const TableLayout& layout, analysis::ValueColumn column);

/// A key that goes right shows what all rows of a group share; a value that goes left groups by its column.
[[nodiscard]] LayoutEdit moveColumn(const TableLayout& layout, int section, LayoutDrop to);
/// To the end of the keys (before a stack, below which each key would repeat), else to the near end of the zone.
[[nodiscard]] LayoutEdit moveToZone(const TableLayout& layout, int section, LayoutZone zone);
enum class Sideways : std::uint8_t { Left, Right };
/// One step; a bar is a step, too.
[[nodiscard]] LayoutEdit stepColumn(const TableLayout& layout, int section, Sideways way);
/// The bar then stands left of this section; the columns that it passed change sides.
[[nodiscard]] LayoutEdit setGoldBar(const TableLayout& layout, int section);
/// Stops at the gold bar.
[[nodiscard]] LayoutEdit setBlueBar(const TableLayout& layout, int section);

/// Nothing happens if the zone's side has it already.
[[nodiscard]] LayoutEdit addColumn(const TableLayout& layout, analysis::ValueColumn column, LayoutZone zone);
[[nodiscard]] LayoutEdit removeColumn(const TableLayout& layout, int section);
/// Every place where the column stands, whatever its aggregation.
[[nodiscard]] LayoutEdit removeEvery(const TableLayout& layout, analysis::Column column);
[[nodiscard]] bool isShown(const TableLayout& layout, analysis::Column column);

/// Sets the aggregation of a value. Refused when the same column stands there with that aggregation. Sorting follows.
[[nodiscard]] LayoutEdit setAggregation(const TableLayout& layout, int section, analysis::Aggregation aggregation);
[[nodiscard]] TableLayout setFormat(const TableLayout& layout, int section, ColumnFormat format);
[[nodiscard]] TableLayout setWidth(const TableLayout& layout, int section, int width);

/// What a section shows; nothing for the line number.
[[nodiscard]] const LayoutColumn* columnOfSection(const TableLayout& layout, int section);

} // namespace highwater::ui
