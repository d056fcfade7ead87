#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

namespace highwater::exports {

/// Optional details, which may be long.
struct InfoDetails {
    bool processes = false; ///< with command lines and images
    bool modules = false;   ///< all modules with their identities
};

/// The facts of a loaded trace. The references must outlive it.
struct TraceInfo {
    const pipeline::TraceFacts& facts;
    const store::PublishedTrace& trace;
    const TraceNotes& notes;
    InfoDetails details{};
};

} // namespace highwater::exports
