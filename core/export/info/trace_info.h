#pragma once

#include "core/analysis/balance/private_bytes.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace highwater::exports {

/// Optional details, which may be long.
struct InfoDetails {
    bool processes = false; ///< with command lines and images
    bool modules = false;   ///< all modules with their identities
};

/// The highest resident memory of a process.
struct ResidentPeak {
    std::string process; ///< "name (pid)"
    std::size_t samples = 0;
    ByteCount bytes = 0;
    TraceTime time;
    std::optional<double> explained; ///< the share that the balance explains, 0 to 1; nothing: not computed
};

/// The facts of a loaded trace. The references must outlive it.
struct TraceInfo {
    const pipeline::TraceFacts& facts;
    const store::PublishedTrace& trace;
    const TraceNotes& notes;
    InfoDetails details{};
    std::vector<ResidentPeak> residentPeaks{};               ///< one for each sampled process, the highest first
    std::vector<analysis::ProcessMemoryPeaks> memoryPeaks{}; ///< the same
};

} // namespace highwater::exports
