#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/tags/suppressions.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"

#include <set>

namespace highwater::check {

/// Which stacks of a run suppressions are about: by functions, modules and source files as the trace has them
/// (analysis::SuppressedStacks), or by functions and modules as a check's reports call them. `summary` is that of the
/// trace. One thread.
[[nodiscard]] std::set<summary::StackKey> suppressedKeysOf(const store::PublishedTrace& trace,
                                                           analysis::FrameLabels& labels,
                                                           const summary::RunSummary& summary,
                                                           const analysis::Suppressions& suppressions);

} // namespace highwater::check
