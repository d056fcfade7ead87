#pragma once

#include "core/analysis/table/grouped_table.h"
#include "core/base/result.h"
#include "core/export/table_writer.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace highwater::exports {

/// Which part of a grouped table is written. 0: all.
struct TreeLimits {
    std::uint32_t depth = 0; ///< levels of keys; each frame of a stack is one
    std::uint32_t top = 0;   ///< rows per level; the others become one row "(N more)"
};

/// How far a walk has got; counts rows. Called on the thread that walks.
using ExportProgress = std::function<void(std::size_t rows)>;

/// Writes the table, opened as far as the limits allow, with what is to be said of its health. What takes long to
/// compute (peaks, unique counts) is computed for the rows that are written, before the first of them. Works on the
/// calling thread. Error: Cancelled; then nothing was written.
Result<void> writeTree(analysis::GroupedTable& table, TreeLimits limits, const HealthReport& health,
                       TableWriter& writer);
/// Writes every row that has none below it. Returns how many. Works on the calling thread. Error: Cancelled; what was
/// written by then is not whole.
Result<std::size_t> writeLeaves(analysis::GroupedTable& table, const HealthReport& health, TableWriter& writer,
                                const std::stop_token& stop, const ExportProgress& progress = {});

} // namespace highwater::exports
