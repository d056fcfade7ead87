#pragma once

#include "core/analysis/rows/row_selection.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The amounts of the cells of a selection, for the selected rows.
struct FlameAmounts {
    Cells cells;
    std::vector<SignedByteCount> amounts; ///< by cell
    std::optional<TraceTime> peakTime;    ///< for Peak Size
};

/// For Peak Size: the amounts at the first peak of their sum, exact to the event. Nothing: stopped.
[[nodiscard]] std::optional<FlameAmounts> flameAmountsOf(const RowSelection& selection, Table table, Column measure,
                                                         const std::stop_token& stop);

} // namespace highwater::analysis
