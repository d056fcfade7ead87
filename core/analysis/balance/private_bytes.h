#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

// The memory of processes as the system reports it, from samples in the notes of a trace (docs/numbers.md 11). Any
// thread.

/// The highest samples of a process.
struct ProcessMemoryPeaks {
    std::string process; ///< its key; "Unknown (pid)" for a pid that the trace does not introduce
    std::size_t samples = 0;
    ByteCount privateBytes = 0;
    TraceTime privateTime; ///< the first sample with it
    ByteCount workingSet = 0;
    TraceTime workingSetTime; ///< the first sample with it
};

/// Processes with samples, the most private bytes first.
[[nodiscard]] std::vector<ProcessMemoryPeaks> processMemoryPeaks(const store::PublishedTrace& trace,
                                                                 const TraceNotes& notes);

/// The sum of the private bytes of the processes whose rows a timeline shows, for comparison with the rows.
struct PrivateBytesLine {
    std::size_t firstSlice = 0; ///< earlier slices are before the first sample
    /// Per slice of the timeline, the highest sum at one instant. A process counts with its newest sample, from its
    /// first sample to its end. 0 before firstSlice.
    std::vector<SignedByteCount> peaks;
    SignedByteCount atEnd = 0; ///< at the end of the interval
};

/// Nothing: the timeline does not show whole processes (it shows something else than outstanding bytes of heap or
/// VirtualAlloc, or a filter uses columns other than the process), or no sample was taken until its end.
/// `timeline` is the answer to the query. Errors: Cancelled, and those of computeTimeline().
[[nodiscard]] Result<std::optional<PrivateBytesLine>>
privateBytesLine(const store::PublishedTrace& trace, FrameLabels& labels, const TimelineQuery& query,
                 const Timeline& timeline, const TraceNotes& notes, const std::stop_token& stop = {});

} // namespace highwater::analysis
