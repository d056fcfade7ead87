#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/frames/wrappers.h"
#include "core/store/published/published_trace.h"

#include <optional>
#include <stop_token>

namespace highwater::analysis {

/// Finds the wrappers among the functions of a trace by how they allocate (docs/numbers.md 12.2). Uses all rows of a
/// table, regardless of interval and filter, so that owners are the same in every answer. `owners` must not have
/// wrappers yet. Nothing: stopped.
[[nodiscard]] std::optional<Wrappers> findWrappers(const store::PublishedTrace& trace, FrameLabels& labels, Table table,
                                                   const AllocatorFrames* allocators, OwnerFrames& owners,
                                                   const std::stop_token& stop);

} // namespace highwater::analysis
