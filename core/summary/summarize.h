#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/result.h"
#include "core/event/recorded_system.h"
#include "core/event/trace_notes.h"
#include "core/event/trace_properties.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"
#include "core/summary/windows_of_time.h"

#include <memory>
#include <span>
#include <stop_token>

namespace highwater::summary {

/// A complete trace and data about it beside its rows. All must outlive the call.
struct SummarySubject {
    const store::PublishedTrace& trace;
    analysis::FrameLabels& labels; ///< with short names
    const TraceProperties& properties;
    const RecordedSystem& system;
    std::span<const Mark> marks;
};

struct SummaryOptions {
    WindowOptions windows{};
    /// Allocator frames, which are skipped to find owners; null for the built-in list.
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames = nullptr;
    /// Data that is not in the trace: run, trace, build, machine, scenario, labels. An empty machine is replaced with
    /// the name of the computer, if the trace contains it.
    RunFacts labels{};
};

/// Reduces a trace to the data defined in docs/numbers.md, Fleet. Two passes over the rows of each window. Any thread.
/// Errors: Cancelled, Usage (too many windows).
[[nodiscard]] Result<RunSummary> summarize(const SummarySubject& subject, const SummaryOptions& options,
                                           const std::stop_token& stop = {});

} // namespace highwater::summary
