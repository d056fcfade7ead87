#pragma once

#include "core/analysis/table/grouped_table.h"

#include <memory>
#include <stop_token>

namespace highwater::ui {

/// Request for the table row under the pointer in the graph.
struct RowAtRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query table;    ///< the table that contains the row
    TimeRange slice;          ///< the time under the pointer: a few pixels
    analysis::KeyPath series; ///< the group whose line is under the pointer; empty: any
    /// The path to a function, by any keys, whose row is wanted instead, in a table with a stack among its keys; empty:
    /// none.
    analysis::KeyPath function = {};
};

/// Returns the largest row that starts in the slice or, if none does, the row that holds most there: follows the
/// largest group from the first key to the last. For a function, its row on the way to the one that grew most. Empty
/// if there is none, or if the table does not contain it. Workers only.
[[nodiscard]] Result<analysis::KeyPath> findRowAt(const RowAtRequest& request, std::stop_token stop);

} // namespace highwater::ui
