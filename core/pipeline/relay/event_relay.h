#pragma once

#include "core/pipeline/relay/event_block.h"
#include "core/pipeline/relay/relay_queue.h"
#include "core/pipeline/relay/sent_stacks.h"

namespace highwater::pipeline {

/// Takes the events of the decoding thread and hands them in blocks to the storing thread, so that both run in parallel
/// (docs/internals.md 2). The EventSink functions are for the decoding thread; the others name their thread.
class EventRelay final : public EventSink {
  public:
    EventRelay();

    /// Frames that were sent before are represented by their hash only.
    void onMemoryEvent(const MemoryEvent& event) override;
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override {
        roomFor(frames.size()).onPendingStackDefined(id, frames);
    }
    void onProcess(const ProcessEvent& event) override { roomForOther().onProcess(event); }
    void onThread(const ThreadEvent& event) override { roomForOther().onThread(event); }
    void onImage(const ImageEvent& event) override { roomForOther().onImage(event); }
    void onImageIdentity(const ImageIdentityEvent& event) override { roomForOther().onImageIdentity(event); }
    void onCode(const CodeEvent& event) override { roomForOther().onCode(event); }
    void onManagedType(std::uint32_t number, std::string_view name) override {
        roomForOther().onManagedType(number, name);
    }
    void onGc(const GcEvent& event) override { roomForOther().onGc(event); }
    void onVolumeMapping(const VolumeMappingEvent& event) override { roomForOther().onVolumeMapping(event); }
    void onRetainedRange(const RetainedRange& window) override { roomForOther().onRetainedRange(window); }
    void onMachine(const Guid& machine) override { roomForOther().onMachine(machine); }
    void onSnapshot(const SnapshotTaken& taken) override { roomForOther().onSnapshot(taken); }
    void onSnapshotUndone(TraceTime time) override { roomForOther().onSnapshotUndone(time); }
    void onSnapshotBlock(const SnapshotBlock& block) override {
        roomFor(block.stack.frames.size()).onSnapshotBlock(block);
    }
    void onResidentSample(const SharedResidentSample& sample) override { roomForOther().onResidentSample(sample); }
    void onMemoryPicture(const SharedMemoryPicture& picture) override { roomForOther().onMemoryPicture(picture); }
    void onRundown(Occasion occasion, TraceTime time) override { roomForOther().onRundown(occasion, time); }
    /// Hands over the events so far if there are enough.
    void onTimeReached(TraceTime time) override;

    /// The storing thread has gone, and no more events are accepted. Decoding thread only.
    [[nodiscard]] bool isGone() const { return isGone_; }
    /// Called last by the decoding thread.
    void finish();

    // For the storing thread.
    std::optional<EventBlock> pop() { return queue_.pop(); }
    void giveBack(EventBlock block);
    void consumerGone() { queue_.consumerGone(); }

  private:
    EventBlock& roomFor(std::size_t frames);
    /// For events that may change the process that events belong to, or the meaning of their addresses.
    EventBlock& roomForOther() {
        sent_.forget();
        return roomFor(0);
    }
    void handOn();

    SentStacks sent_;
    EventBlock block_;
    RelayQueue<EventBlock> queue_;
    bool isGone_ = false;
};

} // namespace highwater::pipeline
