#pragma once

#include "core/analysis/flames/flames.h"
#include "ui/state/table/table_layout.h"

#include <vector>

namespace highwater::ui {

/// What a flame graph takes from the layout of its table. Pure functions. Any thread.

/// The keys without columns of single rows; a stack behind them where there is none.
[[nodiscard]] std::vector<analysis::Column> flameKeysOf(const TableLayout& layout);
/// What the table is sorted by first, if frames can be as wide as that; else the first of its values that can be it.
[[nodiscard]] analysis::Column flameMeasureOf(const TableLayout& layout);
/// The same layout sorted by the measure, which it shows: frames then stand in the order of the rows.
[[nodiscard]] TableLayout withFlameMeasure(const TableLayout& layout, analysis::Column measure);
/// As much of a frame's path as the table has rows for.
[[nodiscard]] analysis::KeyPath rowOfFrame(const TableLayout& layout, const analysis::KeyPath& frame);

} // namespace highwater::ui
