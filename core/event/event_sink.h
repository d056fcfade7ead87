#pragma once

#include "core/base/guid.h"
#include "core/event/code_events.h"
#include "core/event/gc_events.h"
#include "core/event/memory_events.h"
#include "core/event/process_events.h"
#include "core/event/retained_range.h"
#include "core/event/snapshot_events.h"

#include <string_view>

namespace highwater {

/// The seam between decode and store: decoded events, in time order, on the pipeline thread.
/// Text and spans are valid during the call only.
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
    /// Of code that a runtime generated.
    virtual void onCode(const CodeEvent& event) = 0;
    /// What MemoryOperation::ManagedAlloc calls by this number from now on. Numbers count from 1, each once; 0: its
    /// type is not known. Not in the order of time, but before the first event that needs it.
    virtual void onManagedType(std::uint32_t number, std::string_view name) = 0;
    virtual void onGc(const GcEvent& event) = 0;
    virtual void onVolumeMapping(const VolumeMappingEvent& event) = 0;
    /// The trace is the newest part of a longer one. At most once, before the events inside the window.
    virtual void onRetainedRange(const RetainedRange& window) = 0;
    /// The computer that the recording was made on says which it is (see store::ProcessTable::machine).
    virtual void onMachine(const Guid& machine) = 0;
    /// In the order of time, those that are late behind the others; of one instant in that of their numbers.
    virtual void onSnapshot(const SnapshotTaken& taken) = 0;
    /// The last one that is late and of this instant was taken back.
    virtual void onSnapshotUndone(TraceTime time) = 0;
    virtual void onSnapshotBlock(const SnapshotBlock& block) = 0;
    /// A record of what was there before the recording began (RundownStart), or when it ended (RundownEnd). In the
    /// order of the records, some of which events wait for.
    virtual void onRundown(Occasion occasion, TraceTime time) = 0;
    /// Every event before this time has been delivered. Called after each batch of records, and with the end of the
    /// trace (one tick after the last record) when the source is done.
    virtual void onTimeReached(TraceTime time) = 0;
};

} // namespace highwater
