#pragma once

#include "core/decode/records/clock.h"
#include "core/decode/snapshots/snapshot_pieces.h"
#include "core/event/event_sink.h"
#include "core/event/record_counts.h"
#include "core/event/trace_health.h"

namespace highwater::decode {

/// Windows' own heap snapshots in a trace: passes those that can be read to the sink, and counts the others
/// (Loss::SnapshotsUndecoded, Loss::SnapshotsIncomplete). Pipeline thread only.
class HeapSnapshots {
  public:
    HeapSnapshots(const Clock& clock, EventSink& sink, TraceHealth& health, HeapSnapshotCounts& counts)
        : clock_(clock), sink_(sink), health_(health), counts_(counts) {}

    void take(const etl::RawRecord& record);
    /// Everything before this time has been delivered, so snapshots that ended before it are delivered.
    void deliverBefore(TraceTime time);
    /// Call after the last record: delivers the rest.
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
