#include "ui/state/table/table_layout.h"

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::ui {

using analysis::Column;
using analysis::Table;

std::vector<Column> TableLayout::keyColumns() const {
    std::vector<Column> names;
    for (const auto& key : keys) {
        names.push_back(key.value.column);
    }
    return names;
}

std::vector<analysis::ValueColumn> TableLayout::valueColumns() const {
    std::vector<analysis::ValueColumn> values;
    for (const auto& column : columns) {
        values.push_back(column.value);
    }
    return values;
}

bool TableLayout::isBottomUp() const {
    return std::any_of(keys.begin(), keys.end(),
                       [](const auto& key) { return analysis::isBottomUp(key.value.column); });
}

bool TableLayout::showsAnnotations() const {
    const auto isIt = [](const auto& shown) { return shown.value.column == Column::Annotation; };
    return std::any_of(keys.begin(), keys.end(), isIt) || std::any_of(columns.begin(), columns.end(), isIt) ||
           std::any_of(sort.begin(), sort.end(), [](const auto& key) { return key.column == Column::Annotation; });
}

bool TableLayout::looksLike(const TableLayout& other) const {
    auto mine = *this;
    auto theirs = other;
    for (auto* layout : {&mine, &theirs}) {
        if (!layout->showsAnnotations()) layout->annotations.clear();
        for (auto* list : {&layout->keys, &layout->columns}) {
            for (auto& column : *list)
                column.width = 0;
        }
    }
    return mine == theirs;
}

int sectionCount(const TableLayout& layout) { return 1 + static_cast<int>(layout.keys.size() + layout.columns.size()); }

LayoutPlace placeOfSection(const TableLayout& layout, int section) {
    if (section < 1 || section >= sectionCount(layout)) return {};
    const auto index = static_cast<std::size_t>(section) - 1;
    if (index < layout.keys.size()) return {LayoutPlace::Kind::Key, index};
    return {LayoutPlace::Kind::Value, index - layout.keys.size()};
}

int sectionOfPlace(const TableLayout& layout, LayoutPlace place) {
    if (place.kind == LayoutPlace::Kind::LineNumber) return 0;
    const auto before = place.kind == LayoutPlace::Kind::Value ? layout.keys.size() : 0;
    return 1 + static_cast<int>(before + place.index);
}

int goldSection(const TableLayout& layout) { return 1 + static_cast<int>(layout.keys.size()); }

int blueSection(const TableLayout& layout) { return sectionCount(layout) - static_cast<int>(layout.graphed); }

std::optional<StackDirection> stackDirection(const TableLayout& layout) {
    if (layout.isBottomUp()) return StackDirection::BottomUp;
    const auto keys = layout.keyColumns();
    const bool hasStack = std::any_of(keys.begin(), keys.end(), analysis::isStack);
    return hasStack ? std::optional(StackDirection::TopDown) : std::nullopt;
}

TableLayout withStackDirection(TableLayout layout, StackDirection direction) {
    const auto turn = [isWanted = direction == StackDirection::BottomUp](Column& column) {
        if (analysis::isStack(column) && analysis::isBottomUp(column) != isWanted)
            column = analysis::reversedStack(column);
    };
    for (auto& key : layout.keys)
        turn(key.value.column);
    // Grouping by the same stack twice has no effect.
    std::vector<Column> seen;
    std::erase_if(layout.keys, [&seen](const auto& key) {
        const auto column = key.value.column;
        const bool isTwin = analysis::isStack(column) && std::find(seen.begin(), seen.end(), column) != seen.end();
        seen.push_back(column);
        return isTwin;
    });
    for (auto& key : layout.sort)
        turn(key.column);
    return layout;
}

TableLayout layoutOf(const analysis::StandardPreset& preset) {
    return {preset.table,
            {preset.keys.begin(), preset.keys.end()},
            {preset.columns.begin(), preset.columns.end()},
            preset.graphed,
            preset.sort};
}

TableLayout defaultLayout(Table table) { return layoutOf(analysis::standardPresetsOf(table).front()); }

} // namespace highwater::ui
