#pragma once

#include "core/decode/records/clock.h"
#include "core/decode/snapshots/snapshot_pieces.h"
#include "core/event/event_sink.h"
#include "core/event/record_counts.h"
#include "core/event/trace_health.h"

namespace highwater::decode {

/// Windows' own heap snapshots in a trace: tells the sink of those that can be read, counts those that cannot
/// (Loss::SnapshotsUndecoded, Loss::SnapshotsIncomplete). Pipeline thread only.
class HeapSnapshots {
  public:
    HeapSnapshots(const Clock& clock, EventSink& sink, TraceHealth& health, HeapSnapshotCounts& counts)
        : clock_(clock), sink_(sink), health_(health), counts_(counts) {}

    void take(const etl::RawRecord& record);
    /// Everything before this time has been delivered: so are the snapshots that ended before it.
    void deliverBefore(TraceTime time);
    /// No record comes any more: delivers what is left.
    void finish();

  private:
    void deliver(const SnapshotBytes& snapshot);

    const Clock& clock_;
    EventSink& sink_;
    TraceHealth& health_;
    HeapSnapshotCounts& counts_;
    SnapshotPieces pieces_;
    std::uint32_t delivered_ = 0;
};

} // namespace highwater::decode
