#pragma once

#include "core/base/guid.h"
#include "core/event/code_events.h"
#include "core/event/gc_events.h"
#include "core/event/memory_events.h"
#include "core/event/memory_picture.h"
#include "core/event/process_events.h"
#include "core/event/resident_sample.h"
#include "core/event/retained_range.h"
#include "core/event/snapshot_events.h"

#include <string_view>

namespace highwater {

/// The interface between decode and store: decoded events, in time order, on the pipeline thread. Text and spans are
/// valid only during the call.
class EventSink {
  public:
    virtual ~EventSink() = default;

    virtual void onMemoryEvent(const MemoryEvent& event) = 0;
    /// The frames (innermost first) of a stack that earlier events referred to. At most once per id; an id that never
    /// gets frames was counted as Loss::StacksUnresolved.
    virtual void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) = 0;
    virtual void onProcess(const ProcessEvent& event) = 0;
    virtual void onThread(const ThreadEvent& event) = 0;
    virtual void onImage(const ImageEvent& event) = 0;
    virtual void onImageIdentity(const ImageIdentityEvent& event) = 0;
    /// An event about code that a runtime generated.
    virtual void onCode(const CodeEvent& event) = 0;
    /// Names the type that MemoryOperation::ManagedAlloc refers to by this number from now on. Numbers start at 1, and
    /// each is reported once; 0 means that the type is not known. Not in time order, but before the first event that
    /// refers to it.
    virtual void onManagedType(std::uint32_t number, std::string_view name) = 0;
    virtual void onGc(const GcEvent& event) = 0;
    virtual void onVolumeMapping(const VolumeMappingEvent& event) = 0;
    /// The trace is the newest part of a longer recording. At most once, before the events inside the window.
    virtual void onRetainedRange(const RetainedRange& window) = 0;
    /// The identity of the recording computer (see store::ProcessTable::machine).
    virtual void onMachine(const Guid& machine) = 0;
    /// In time order, with late snapshots after the others; snapshots of one instant in the order of their numbers.
    virtual void onSnapshot(const SnapshotTaken& taken) = 0;
    /// The latest late snapshot of this instant was undone.
    virtual void onSnapshotUndone(TraceTime time) = 0;
    virtual void onSnapshotBlock(const SnapshotBlock& block) = 0;
    /// Samples of one process arrive in time order. Earlier events may still be waiting for their stacks, so readers
    /// use the time of the sample.
    virtual void onResidentSample(const SharedResidentSample& sample) = 0;
    /// In the order of their records, which are later than their times.
    virtual void onMemoryPicture(const SharedMemoryPicture& picture) = 0;
    /// A rundown record: state from before the recording (RundownStart) or at its end (RundownEnd). In the order of the
    /// records; some events wait for them.
    virtual void onRundown(Occasion occasion, TraceTime time) = 0;
    /// Every event before this time has been delivered. Called after each batch of records, and with the end of the
    /// trace (one tick after the last record) when the source is done.
    virtual void onTimeReached(TraceTime time) = 0;
};

} // namespace highwater
