#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/frames/wrappers.h"
#include "core/store/published/published_trace.h"

#include <optional>
#include <stop_token>

namespace highwater::analysis {

/// The wrappers among the functions of a trace, found by how they allocate (docs/numbers.md 12.2): in all rows of a
/// table, whatever interval and filter are asked about, so that an owner is the same in each answer. owners has no
/// wrappers yet. Nothing when stopped.
[[nodiscard]] std::optional<Wrappers> findWrappers(const store::PublishedTrace& trace, FrameLabels& labels, Table table,
                                                   const AllocatorFrames* allocators, OwnerFrames& owners,
                                                   const std::stop_token& stop);

} // namespace highwater::analysis
