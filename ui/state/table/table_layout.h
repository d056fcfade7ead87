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

/// A column of a table. For keys, only `value.column` is used.
struct LayoutColumn {
    analysis::ValueColumn value;
    ColumnFormat format = {};
    int width = 0; ///< pixels; 0: automatic
    LayoutColumn() = default;
    LayoutColumn(analysis::Column column) : value(column) {}
    LayoutColumn(analysis::ValueColumn column) : value(column) {}
    friend bool operator==(const LayoutColumn&, const LayoutColumn&) = default;
};

/// Layout of a pivot table from left to right: keys (which group the rows), the gold bar, values, the blue bar, graphed
/// values. A plain value.
struct TableLayout {
    analysis::Table table = analysis::Table::VirtualAlloc;
    std::vector<LayoutColumn> keys;
    std::vector<LayoutColumn> columns; ///< all values
    std::size_t graphed = 0;           ///< number of the last columns right of the blue bar
    std::vector<analysis::SortKey> sort;
    analysis::Annotations annotations = {}; ///< rules of the column Annotation, shown or not

    [[nodiscard]] std::vector<analysis::Column> keyColumns() const;
    [[nodiscard]] std::vector<analysis::ValueColumn> valueColumns() const;
    [[nodiscard]] bool isBottomUp() const;
    [[nodiscard]] bool showsAnnotations() const;
    /// Equal except for widths, and for labels that are not shown.
    [[nodiscard]] bool looksLike(const TableLayout& other) const;
    friend bool operator==(const TableLayout&, const TableLayout&) = default;
};

/// Position of a column on screen: section 0 contains line numbers, followed by the keys and the values.
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

/// Order in which stacks are read: from the thread's first function, or from the allocating one.
enum class StackDirection : std::uint8_t { TopDown, BottomUp };
/// Nothing if no key is a stack.
[[nodiscard]] std::optional<StackDirection> stackDirection(const TableLayout& layout);
/// The same layout with reversed stacks; unchanged if it has none.
[[nodiscard]] TableLayout withStackDirection(TableLayout layout, StackDirection direction);

[[nodiscard]] TableLayout layoutOf(const analysis::StandardPreset& preset);
/// The initial layout of a table: its first built-in preset.
[[nodiscard]] TableLayout defaultLayout(analysis::Table table);

} // namespace highwater::ui
