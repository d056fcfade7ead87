#pragma once

#include "core/pipeline/event_block.h"
#include "core/pipeline/relay_queue.h"

namespace highwater::pipeline {

/// Takes the events of the thread that decodes and hands them, in blocks, to the one that stores: so that both are done
/// at once (docs/architecture.md 5). As an EventSink of the former only; the rest says whose it is.
class EventRelay final : public EventSink {
  public:
    EventRelay();

    void onMemoryEvent(const MemoryEvent& event) override { roomFor(event.stack.frames.size()).onMemoryEvent(event); }
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override {
        roomFor(frames.size()).onPendingStackDefined(id, frames);
    }
    void onProcess(const ProcessEvent& event) override { roomFor(0).onProcess(event); }
    void onThread(const ThreadEvent& event) override { roomFor(0).onThread(event); }
    void onImage(const ImageEvent& event) override { roomFor(0).onImage(event); }
    void onImageIdentity(const ImageIdentityEvent& event) override { roomFor(0).onImageIdentity(event); }
    void onCode(const CodeEvent& event) override { roomFor(0).onCode(event); }
    void onManagedType(std::uint32_t number, std::string_view name) override { roomFor(0).onManagedType(number, name); }
    void onGc(const GcEvent& event) override { roomFor(0).onGc(event); }
    void onVolumeMapping(const VolumeMappingEvent& event) override { roomFor(0).onVolumeMapping(event); }
    void onRetainedRange(const RetainedRange& window) override { roomFor(0).onRetainedRange(window); }
    void onMachine(const Guid& machine) override { roomFor(0).onMachine(machine); }
    void onSnapshot(const SnapshotTaken& taken) override { roomFor(0).onSnapshot(taken); }
    void onSnapshotUndone(TraceTime time) override { roomFor(0).onSnapshotUndone(time); }
    void onSnapshotBlock(const SnapshotBlock& block) override {
        roomFor(block.stack.frames.size()).onSnapshotBlock(block);
    }
    void onRundown(Occasion occasion, TraceTime time) override { roomFor(0).onRundown(occasion, time); }
    /// Hands on what came until then, once that is enough.
    void onTimeReached(TraceTime time) override;

    /// Who stores has gone: nothing is taken any more. The decoding thread's.
    [[nodiscard]] bool isGone() const { return isGone_; }
    /// The decoding thread's last word.
    void finish();

    // Of the storing thread.
    std::optional<EventBlock> pop() { return queue_.pop(); }
    void giveBack(EventBlock block);
    void consumerGone() { queue_.consumerGone(); }

  private:
    EventBlock& roomFor(std::size_t frames);
    void handOn();

    EventBlock block_;
    RelayQueue<EventBlock> queue_;
    bool isGone_ = false;
};

} // namespace highwater::pipeline
