#pragma once

#include "core/analysis/flames/flames.h"
#include "ui/state/table/table_layout.h"

#include <vector>

namespace highwater::ui {

/// Parts of a table layout that a flame graph uses. Pure functions. Any thread.

/// The keys without per-row columns; a stack is appended if there is none.
[[nodiscard]] std::vector<analysis::Column> flameKeysOf(const TableLayout& layout);
/// The first sort column of the table if it can determine the width of frames; otherwise the first suitable value.
[[nodiscard]] analysis::Column flameMeasureOf(const TableLayout& layout);
/// The same layout with the measure shown and sorted by, so that frames have the order of the rows.
[[nodiscard]] TableLayout withFlameMeasure(const TableLayout& layout, analysis::Column measure);
/// The part of a frame's path for which the table has rows.
[[nodiscard]] analysis::KeyPath rowOfFrame(const TableLayout& layout, const analysis::KeyPath& frame);

} // namespace highwater::ui
