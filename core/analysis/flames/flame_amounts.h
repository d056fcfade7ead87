#pragma once

#include "core/analysis/rows/row_selection.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// What each cell of a selection holds, of those rows that are selected.
struct FlameAmounts {
    Cells cells;
    std::vector<SignedByteCount> amounts; ///< by cell
    std::optional<TraceTime> peakTime;    ///< of Peak Size
};

/// Of Peak Size: what is outstanding when all of it together is at its peak first, to the event. Nothing when stopped.
[[nodiscard]] std::optional<FlameAmounts> flameAmountsOf(const RowSelection& selection, Table table, Column measure,
                                                         const std::stop_token& stop);

} // namespace highwater::analysis
