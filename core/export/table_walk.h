#pragma once

#include "core/analysis/table/grouped_table.h"
#include "core/base/result.h"
#include "core/export/table_writer.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace highwater::exports {

/// The part of a grouped table to write. 0: no limit.
struct TreeLimits {
    std::uint32_t depth = 0; ///< levels of keys; each frame of a stack is one level
    std::uint32_t top = 0;   ///< rows per level; the others become one row "(N more)"
};

/// Progress of a walk in rows. Called on the thread of the walk.
using ExportProgress = std::function<void(std::size_t rows)>;

/// Writes the table within the limits, with the remarks on its health. Values that are expensive to compute (peaks,
/// unique counts) are computed for all rows to be written, before the first row is written. Works on the calling
/// thread. Error: Cancelled; nothing was written.
Result<void> writeTree(analysis::GroupedTable& table, TreeLimits limits, const HealthReport& health,
                       TableWriter& writer);
/// Writes every row that has no rows below it. Returns their number. Works on the calling thread. Error: Cancelled; the
/// output is incomplete.
Result<std::size_t> writeLeaves(analysis::GroupedTable& table, const HealthReport& health, TableWriter& writer,
                                const std::stop_token& stop, const ExportProgress& progress = {});

} // namespace highwater::exports
