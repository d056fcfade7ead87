#include "core/decode/snapshots/heap_snapshots.h"

#include "core/decode/snapshots/heap_snapshot_bytes.h"

namespace highwater::decode {

void HeapSnapshots::take(const etl::RawRecord& record) {
    if (!pieces_.add(record)) health_.count(Loss::RecordsTruncated);
}

void HeapSnapshots::deliverBefore(TraceTime time) {
    while (pieces_.hasReady() && clock_.toTime(pieces_.nextReady().ticks) < time)
        deliver(pieces_.takeReady());
}

void HeapSnapshots::finish() {
    pieces_.finish();
    while (pieces_.hasReady())
        deliver(pieces_.takeReady());
}

void HeapSnapshots::deliver(const SnapshotBytes& snapshot) {
    ++counts_.instances;
    counts_.bytes += snapshot.arrived;
    const bool isWhole = snapshot.state == SnapshotState::Whole;
    if (!isWhole || !readHeapSnapshot(snapshot.bytes)) {
        ++counts_.undecoded;
        return health_.count(isWhole ? Loss::SnapshotsUndecoded : Loss::SnapshotsIncomplete);
    }
    ++counts_.decoded;
    const auto number = ++delivered_;
    sink_.onSnapshot({number, clock_.toTime(snapshot.ticks), snapshot.pid, SnapshotOrigin::Windows, true});
    const HeapSnapshotBlocks tell = [&](const HeapSnapshotBlock& block) {
        SnapshotBlock event;
        event.snapshot = number;
        event.pid = snapshot.pid;
        event.heap = block.heap;
        event.address = block.address;
        event.size = block.size;
        if (!block.frames.empty()) event.stack = {EventStack::Kind::Frames, {}, block.frames};
        sink_.onSnapshotBlock(event);
    };
    (void)readHeapSnapshot(snapshot.bytes, tell);
}

} // namespace highwater::decode
