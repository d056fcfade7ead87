#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

namespace highwater::exports {

/// What is told at more length, as it may be long.
struct InfoDetails {
    bool processes = false; ///< command lines and images of each
    bool modules = false;   ///< all modules with their identities
};

/// What a loaded trace says about itself. The parts outlive it.
struct TraceInfo {
    const pipeline::TraceFacts& facts;
    const store::PublishedTrace& trace;
    const TraceNotes& notes;
    InfoDetails details{};
};

} // namespace highwater::exports
