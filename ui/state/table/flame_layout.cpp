#include "ui/state/table/flame_layout.h"

#include "ui/state/table/layout_edit.h"

#include <algorithm>
#include <optional>

namespace highwater::ui {
namespace {

using analysis::Column;
using analysis::ValueColumn;

std::optional<Column> measureOf(analysis::Table table, ValueColumn value) {
    for (const auto measure : analysis::flameMeasuresOf(table)) {
        if (analysis::normalized(measure) == analysis::normalized(value)) return measure;
    }
    return std::nullopt;
}

} // namespace

std::vector<Column> flameKeysOf(const TableLayout& layout) {
    auto keys = layout.keyColumns();
    std::erase_if(keys, analysis::isOfSingleRows);
    if (std::none_of(keys.begin(), keys.end(), analysis::isStack)) keys.push_back(Column::Stack);
    return keys;
}

Column flameMeasureOf(const TableLayout& layout) {
    for (const auto& key : layout.sort) {
        if (const auto measure = measureOf(layout.table, key.value())) return *measure;
    }
    for (const auto& value : layout.valueColumns()) {
        if (const auto measure = measureOf(layout.table, value)) return *measure;
    }
    return analysis::flameMeasuresOf(layout.table).front();
}

TableLayout withFlameMeasure(const TableLayout& layout, Column measure) {
    const auto values = layout.valueColumns();
    const auto isIt = [&](ValueColumn value) { return measureOf(layout.table, value) == measure; };
    const bool isShown = std::any_of(values.begin(), values.end(), isIt);
    auto changed = isShown ? layout : addColumn(layout, measure, LayoutZone::Values).layout;
    const auto shown = changed.valueColumns();
    const auto value = std::find_if(shown.begin(), shown.end(), isIt);
    if (value != shown.end()) changed.sort = {{value->column, true, value->aggregation}};
    return changed;
}

analysis::KeyPath rowOfFrame(const TableLayout& layout, const analysis::KeyPath& frame) {
    const auto keys = layout.keyColumns();
    analysis::KeyPath path;
    std::size_t key = 0;
    for (const auto& step : frame) {
        const bool goesOn = !path.empty() && path.back().column == step.column;
        if (!goesOn && (key >= keys.size() || keys[key++] != step.column)) break;
        path.push_back(step);
    }
    return path;
}

} // namespace highwater::ui
