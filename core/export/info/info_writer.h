#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

#include <ostream>

namespace highwater::exports {

/// What a loaded trace says about itself. The parts outlive it.
struct TraceInfo {
    const pipeline::TraceFacts& facts;
    const store::PublishedTrace& trace;
    const TraceNotes& notes;
};

/// A line per number, then the processes, then the marks, if there are any. Errors are those of the stream.
void writeInfoText(const TraceInfo& info, std::ostream& out);
/// One object; docs/numbers.md 6.4 lists its members.
void writeInfoJson(const TraceInfo& info, std::ostream& out);

} // namespace highwater::exports
