#include "ui/state/table/layout_sort.h"

#include "ui/state/table/layout_edit.h"

#include <algorithm>

namespace highwater::ui {

using analysis::SortKey;

namespace {

auto levelOf(const TableLayout& layout, analysis::ValueColumn value) {
    return std::find_if(layout.sort.begin(), layout.sort.end(), [value](const auto& level) {
        return analysis::normalized(level.value()) == analysis::normalized(value);
    });
}

} // namespace

TableLayout cycleSort(const TableLayout& layout, int section, SortStep step) {
    const auto* column = columnOfSection(layout, section);
    if (!column) return layout;
    auto changed = layout;
    const auto level = levelOf(layout, column->value);
    SortKey key{column->value.column, analysis::startsDescending(column->value), column->value.aggregation};
    const bool isLevel = level != layout.sort.end();
    if (step == SortStep::Add) {
        if (isLevel)
            changed.sort[static_cast<std::size_t>(level - layout.sort.begin())].descending = !level->descending;
        else
            changed.sort.push_back(key);
        return changed;
    }
    if (level == layout.sort.begin() && isLevel) key.descending = !level->descending;
    changed.sort = {key};
    return changed;
}

TableLayout sortBy(const TableLayout& layout, int section, bool descending) {
    const auto* column = columnOfSection(layout, section);
    if (!column) return layout;
    auto changed = layout;
    const auto level = levelOf(layout, column->value);
    if (level != layout.sort.end())
        changed.sort[static_cast<std::size_t>(level - layout.sort.begin())].descending = descending;
    else
        changed.sort = {{column->value.column, descending, column->value.aggregation}};
    return changed;
}

std::optional<SortMark> sortMark(const TableLayout& layout, int section) {
    const auto* column = columnOfSection(layout, section);
    if (!column) return std::nullopt;
    const auto level = levelOf(layout, column->value);
    if (level == layout.sort.end()) return std::nullopt;
    return SortMark{static_cast<int>(level - layout.sort.begin()), level->descending};
}

} // namespace highwater::ui
