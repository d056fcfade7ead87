#pragma once

#include "core/event/event_sink.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace highwater::pipeline {

/// Decoded events in order of arrival, with the data that they refer to, on their way from the decoding thread to the
/// storing thread. Movable; the contents do not move. One thread at a time.
class EventBlock final : public EventSink {
  public:
    EventBlock() = default;
    EventBlock(EventBlock&&) = default;
    EventBlock& operator=(EventBlock&&) = default;

    void onMemoryEvent(const MemoryEvent& event) override;
    /// The same for an event with frames whose hash is known, and for one with the frames of an earlier event
    /// (EventStack::Kind::Known).
    void addWithFrames(const MemoryEvent& event, const FramesHash& hash);
    void addWithKnown(const MemoryEvent& event, const FramesHash& hash);
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override;
    void onProcess(const ProcessEvent& event) override { add(event); }
    void onThread(const ThreadEvent& event) override { add(event); }
    void onImage(const ImageEvent& event) override { add(event); }
    void onImageIdentity(const ImageIdentityEvent& event) override { add(event); }
    void onCode(const CodeEvent& event) override { add(event); }
    void onManagedType(std::uint32_t number, std::string_view name) override {
        add(ManagedType{number, std::string(name)});
    }
    void onGc(const GcEvent& event) override { add(event); }
    void onVolumeMapping(const VolumeMappingEvent& event) override { add(event); }
    void onRetainedRange(const RetainedRange& window) override { add(window); }
    void onMachine(const Guid& machine) override { add(machine); }
    void onSnapshot(const SnapshotTaken& taken) override { add(taken); }
    void onSnapshotUndone(TraceTime time) override { add(SnapshotUndone{time}); }
    void onSnapshotBlock(const SnapshotBlock& block) override;
    void onResidentSample(const SharedResidentSample& sample) override { add(sample); }
    void onMemoryPicture(const SharedMemoryPicture& picture) override { add(picture); }
    void onRundown(Occasion occasion, TraceTime time) override { add(Rundown{occasion, time}); }
    void onTimeReached(TraceTime time) override { add(TimeReached{time}); }

    /// Whether there is room for an event with this many frames. An empty block has room for any.
    [[nodiscard]] bool hasRoomFor(std::size_t frames) const;
    [[nodiscard]] bool isEmpty() const { return memory_.empty() && others_.empty(); }
    /// Larger blocks would not save anything.
    [[nodiscard]] bool isWorthHandingOn() const;
    /// Its last event reports the time reached; everything before it is complete.
    [[nodiscard]] bool endsWithTimeReached() const;

    /// Visits all events in order.
    template <typename Sink>
    void deliverTo(Sink& sink) const {
        std::size_t next = 0;
        for (const auto& other : others_) {
            for (; next < other.memoryBefore; ++next)
                sink.onMemoryEvent(memory_[next]);
            std::visit([&sink](const auto& event) { deliver(event, sink); }, other.event);
        }
        for (; next < memory_.size(); ++next)
            sink.onMemoryEvent(memory_[next]);
    }
    /// Empties the block but keeps its memory.
    void clear();

  private:
    struct PendingStack {
        PendingStackId id;
        std::span<const Address> frames;
    };
    struct SnapshotUndone {
        TraceTime time;
    };
    struct Rundown {
        Occasion occasion;
        TraceTime time;
    };
    struct ManagedType {
        std::uint32_t number = 0;
        std::string name;
    };
    struct TimeReached {
        TraceTime time;
    };
    using Other =
        std::variant<PendingStack, ProcessEvent, ThreadEvent, ImageEvent, ImageIdentityEvent, CodeEvent, ManagedType,
                     GcEvent, VolumeMappingEvent, RetainedRange, Guid, SnapshotTaken, SnapshotUndone, SnapshotBlock,
                     SharedResidentSample, SharedMemoryPicture, Rundown, TimeReached>;
    struct Placed {
        std::size_t memoryBefore = 0; ///< number of memory events before it
        Other event;
    };

    void add(Other event) { others_.push_back({memory_.size(), std::move(event)}); }
    [[nodiscard]] std::span<const Address> kept(std::span<const Address> frames);
    void keepStack(EventStack& stack);
    void keepFrames(EventStack& stack, const FramesHash& hash);

    static void deliver(const PendingStack& event, EventSink& sink) {
        sink.onPendingStackDefined(event.id, event.frames);
    }
    static void deliver(const ProcessEvent& event, EventSink& sink) { sink.onProcess(event); }
    static void deliver(const ThreadEvent& event, EventSink& sink) { sink.onThread(event); }
    static void deliver(const ImageEvent& event, EventSink& sink) { sink.onImage(event); }
    static void deliver(const ImageIdentityEvent& event, EventSink& sink) { sink.onImageIdentity(event); }
    static void deliver(const CodeEvent& event, EventSink& sink) { sink.onCode(event); }
    static void deliver(const ManagedType& event, EventSink& sink) { sink.onManagedType(event.number, event.name); }
    static void deliver(const GcEvent& event, EventSink& sink) { sink.onGc(event); }
    static void deliver(const VolumeMappingEvent& event, EventSink& sink) { sink.onVolumeMapping(event); }
    static void deliver(const RetainedRange& event, EventSink& sink) { sink.onRetainedRange(event); }
    static void deliver(const Guid& event, EventSink& sink) { sink.onMachine(event); }
    static void deliver(const SnapshotTaken& event, EventSink& sink) { sink.onSnapshot(event); }
    static void deliver(const SnapshotUndone& event, EventSink& sink) { sink.onSnapshotUndone(event.time); }
    static void deliver(const SnapshotBlock& event, EventSink& sink) { sink.onSnapshotBlock(event); }
    static void deliver(const SharedResidentSample& event, EventSink& sink) { sink.onResidentSample(event); }
    static void deliver(const SharedMemoryPicture& event, EventSink& sink) { sink.onMemoryPicture(event); }
    static void deliver(const Rundown& event, EventSink& sink) { sink.onRundown(event.occasion, event.time); }
    static void deliver(const TimeReached& event, EventSink& sink) { sink.onTimeReached(event.time); }

    std::vector<MemoryEvent> memory_;
    std::vector<Placed> others_;
    std::vector<Address> frames_; ///< frames of stacks; not reallocated while it has any
};

} // namespace highwater::pipeline
