#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/table/standard_presets.h"
#include "ui/format/column_format.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::ui {

/// A column as it stands in a table. Of keys, only `value.column` counts.
struct LayoutColumn {
    analysis::ValueColumn value;
    ColumnFormat format = {};
    int width = 0; ///< pixels; 0: what suits it
    LayoutColumn() = default;
    LayoutColumn(analysis::Column column) : value(column) {}
    LayoutColumn(analysis::ValueColumn column) : value(column) {}
    friend bool operator==(const LayoutColumn&, const LayoutColumn&) = default;
};

/// A pivot table's layout, left to right: keys (what rows are grouped by), the gold bar, values, the blue bar, values
/// that are graphed. A plain value.
struct TableLayout {
    analysis::Table table = analysis::Table::VirtualAlloc;
    std::vector<LayoutColumn> keys;
    std::vector<LayoutColumn> columns; ///< all values
    std::size_t graphed = 0;           ///< how many of the last columns stand right of the blue bar
    std::vector<analysis::SortKey> sort;
    analysis::Annotations annotations = {}; ///< what the column Annotation says, whether it is shown or not

    [[nodiscard]] std::vector<analysis::Column> keyColumns() const;
    [[nodiscard]] std::vector<analysis::ValueColumn> valueColumns() const;
    [[nodiscard]] bool isBottomUp() const;
    [[nodiscard]] bool showsAnnotations() const;
    /// Equal but for widths, and for labels that are not shown.
    [[nodiscard]] bool looksLike(const TableLayout& other) const;
    friend bool operator==(const TableLayout&, const TableLayout&) = default;
};

/// Where a column of a layout stands on screen: section 0 numbers the lines, then come the keys, then the values.
struct LayoutPlace {
    enum class Kind : std::uint8_t { LineNumber, Key, Value };
    Kind kind = Kind::LineNumber;
    std::size_t index = 0; ///< in keys or columns
    friend bool operator==(const LayoutPlace&, const LayoutPlace&) = default;
};
[[nodiscard]] int sectionCount(const TableLayout& layout);
/// Sections outside the layout are LineNumber.
[[nodiscard]] LayoutPlace placeOfSection(const TableLayout& layout, int section);
[[nodiscard]] int sectionOfPlace(const TableLayout& layout, LayoutPlace place);
/// The first section right of the gold bar, and of the blue bar.
[[nodiscard]] int goldSection(const TableLayout& layout);
[[nodiscard]] int blueSection(const TableLayout& layout);

/// From which end stacks are read: the thread's first function, or the one that allocated.
enum class StackDirection : std::uint8_t { TopDown, BottomUp };
/// Nothing when no key is a stack.
[[nodiscard]] std::optional<StackDirection> stackDirection(const TableLayout& layout);
/// The same layout with its stacks read the other way; unchanged when it has none.
[[nodiscard]] TableLayout withStackDirection(TableLayout layout, StackDirection direction);

[[nodiscard]] TableLayout layoutOf(const analysis::StandardPreset& preset);
/// What a table looks like before anyone changes it: its first standard preset.
[[nodiscard]] TableLayout defaultLayout(analysis::Table table);

} // namespace highwater::ui
