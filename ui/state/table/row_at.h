#pragma once

#include "core/analysis/table/grouped_table.h"

#include <memory>
#include <stop_token>

namespace highwater::ui {

/// Which row of a table someone means who points at the graph.
struct RowAtRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query table;    ///< the table in which the row is looked for
    TimeRange slice;          ///< the time that is pointed at: a few pixels
    analysis::KeyPath series; ///< the group whose line is pointed at; empty: any
};

/// The row of what begins in the slice and is largest; if nothing begins there, of what holds most there: followed from
/// the first key of the table down to the last, the largest group first. Empty when there is none, or when the table
/// does not have it. Workers only.
[[nodiscard]] Result<analysis::KeyPath> findRowAt(const RowAtRequest& request, std::stop_token stop);

} // namespace highwater::ui
