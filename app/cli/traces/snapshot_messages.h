#pragma once

#include "app/cli/traces/console.h"
#include "core/pipeline/recording.h"
#include "core/store/published/published_trace.h"

#include <cstdint>

namespace highwater::cli {

/// Messages about heap snapshots after a recording.
struct TakenSnapshots {
    const pipeline::RecordingStatus& status;
    const store::PublishedTrace& trace;
    const pipeline::SnapshotPlan& plan;
    bool hasHeaps = true;          ///< contains the snapshots
    std::uint64_t askedInVain = 0; ///< requests while hasHeaps is false
};

/// Prints the number of snapshots, those missing from the file, and the reason if none was taken.
void printSnapshots(const TakenSnapshots& taken, const Console& console);

} // namespace highwater::cli
