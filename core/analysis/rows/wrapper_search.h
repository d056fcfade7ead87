#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/frames/wrappers.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <stop_token>

namespace highwater::analysis {

/// The functions that the search for wrappers does not need to examine, as in OwnerFrames.
struct WrapperQuery {
    Table table = Table::Heap;                              ///< or VirtualAlloc
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< null: only runtimes and containers
    OwnerChoices choices = {};
};

/// Whether wrappers are searched in a table.
[[nodiscard]] constexpr bool hasWrappers(Table table) { return table == Table::Heap || table == Table::VirtualAlloc; }

/// The wrappers among the functions of a trace, found by how they allocate (docs/numbers.md 12.2). Uses all rows of a
/// table, regardless of interval and filter, so that owners are the same in every answer. The last results are kept.
/// Any thread, but not the GUI thread. Null: stopped.
[[nodiscard]] std::shared_ptr<const Wrappers> findWrappers(const store::PublishedTrace& trace, FrameLabels& labels,
                                                           const WrapperQuery& query, const std::stop_token& stop);

/// The result of an earlier findWrappers(); null: it was not asked for, or is not kept any more. Any thread.
[[nodiscard]] std::shared_ptr<const Wrappers> keptWrappers(const store::PublishedTrace& trace, FrameLabels& labels,
                                                           const WrapperQuery& query);

} // namespace highwater::analysis
