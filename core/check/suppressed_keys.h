#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/tags/suppressions.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"

#include <set>

namespace highwater::check {

/// The stacks of a run that suppressions match: by functions, modules and source files of the trace
/// (analysis::SuppressedStacks), or by functions and modules as check reports name them. `summary` is the summary of
/// the trace. One thread.
[[nodiscard]] std::set<summary::StackKey> suppressedKeysOf(const store::PublishedTrace& trace,
                                                           analysis::FrameLabels& labels,
                                                           const summary::RunSummary& summary,
                                                           const analysis::Suppressions& suppressions);

} // namespace highwater::check
