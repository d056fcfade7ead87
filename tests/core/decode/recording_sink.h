#pragma once

#include "tests/support/partial_event_sink.h"

#include <map>
#include <string>
#include <vector>

namespace highwater::tests {

/// Stores all deliveries of a decoder, with copies of the frames.
class RecordingSink final : public PartialEventSink {
  public:
    struct Delivered {
        MemoryEvent event; ///< without its frames
        std::vector<Address> frames;
    };

    void onMemoryEvent(const MemoryEvent& event) override {
        events.push_back({event, {event.stack.frames.begin(), event.stack.frames.end()}});
        events.back().event.stack.frames = {};
        order.push_back(event.time);
        log.push_back("memory");
    }
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override {
        definedTwice |= pending.count(id.value) > 0;
        pending[id.value] = {frames.begin(), frames.end()};
    }
    void onProcess(const ProcessEvent& event) override {
        processes.push_back(event);
        note(event.time, "process");
    }
    void onThread(const ThreadEvent& event) override {
        threads.push_back(event);
        note(event.time, "thread");
    }
    void onImage(const ImageEvent& event) override {
        images.push_back(event);
        note(event.time, "image");
    }
    void onImageIdentity(const ImageIdentityEvent& event) override {
        identities.push_back(event);
        note(event.time, "identity");
    }
    void onVolumeMapping(const VolumeMappingEvent& event) override { volumes.push_back(event); }
    void onSnapshot(const SnapshotTaken& taken) override { snapshots.push_back(taken); }
    void onResidentSample(const SharedResidentSample& sample) override { residentSamples.push_back(sample); }
    void onMemoryPicture(const SharedMemoryPicture& picture) override { pictures.push_back(picture); }
    void onSnapshotUndone(TraceTime time) override { undoneSnapshots.push_back(time); }
    void onSnapshotBlock(const SnapshotBlock& block) override {
        snapshotBlocks.push_back({block, {block.stack.frames.begin(), block.stack.frames.end()}});
        snapshotBlocks.back().block.stack.frames = {};
    }
    void onTimeReached(TraceTime time) override {
        reached.push_back(time);
        eventsWhenReached.push_back(order.size());
    }

    /// The frames of the n-th memory event, once known.
    [[nodiscard]] std::vector<Address> framesOf(std::size_t n) const {
        const auto& delivered = events.at(n);
        if (delivered.event.stack.kind != EventStack::Kind::Pending) return delivered.frames;
        const auto found = pending.find(delivered.event.stack.pending.value);
        return found == pending.end() ? std::vector<Address>{} : found->second;
    }

    std::vector<Delivered> events;
    std::map<std::uint32_t, std::vector<Address>> pending;
    bool definedTwice = false;
    std::vector<ProcessEvent> processes;
    std::vector<ThreadEvent> threads;
    std::vector<ImageEvent> images;
    std::vector<ImageIdentityEvent> identities;
    std::vector<VolumeMappingEvent> volumes;
    struct DeliveredBlock {
        SnapshotBlock block; ///< without its frames
        std::vector<Address> frames;
    };
    std::vector<SnapshotTaken> snapshots;
    std::vector<SharedResidentSample> residentSamples;
    std::vector<SharedMemoryPicture> pictures;
    std::vector<TraceTime> undoneSnapshots;
    std::vector<DeliveredBlock> snapshotBlocks;
    std::vector<TraceTime> order; ///< times of all events but volume mappings
    std::vector<std::string> log; ///< their kinds
    std::vector<TraceTime> reached;
    std::vector<std::size_t> eventsWhenReached;

  private:
    void note(TraceTime time, const char* kind) {
        order.push_back(time);
        log.emplace_back(kind);
    }
};

} // namespace highwater::tests
