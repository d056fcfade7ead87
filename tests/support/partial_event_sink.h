#pragma once

#include "core/event/event_sink.h"

namespace highwater::tests {

/// For sinks that ignore some events.
class PartialEventSink : public EventSink {
  public:
    void onCode(const CodeEvent&) override {}
    void onManagedType(std::uint32_t, std::string_view) override {}
    void onGc(const GcEvent&) override {}
    void onRetainedRange(const RetainedRange&) override {}
    void onMachine(const Guid&) override {}
    void onSnapshot(const SnapshotTaken&) override {}
    void onSnapshotUndone(TraceTime) override {}
    void onSnapshotBlock(const SnapshotBlock&) override {}
    void onResidentSample(const SharedResidentSample&) override {}
    void onMemoryPicture(const SharedMemoryPicture&) override {}
    void onRundown(Occasion, TraceTime) override {}
};

} // namespace highwater::tests
