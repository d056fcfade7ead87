#pragma once

#include "app/cli/traces/console.h"
#include "core/pipeline/recording.h"
#include "core/store/published/published_trace.h"

#include <cstdint>

namespace highwater::cli {

/// What a recording that has ended says of heap snapshots.
struct TakenSnapshots {
    const pipeline::RecordingStatus& status;
    const store::PublishedTrace& trace;
    const pipeline::SnapshotPlan& plan;
    bool hasHeaps = true;          ///< of which they are
    std::uint64_t askedInVain = 0; ///< where hasHeaps is false
};

/// How many were taken, which of them the file does not keep, and where none was taken although that was wanted: why.
void saySnapshots(const TakenSnapshots& taken, const Console& console);

} // namespace highwater::cli
