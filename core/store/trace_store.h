#pragma once

#include "core/event/event_sink.h"
#include "core/event/trace_health.h"
#include "core/store/committed_pages.h"
#include "core/store/outstanding_blocks.h"
#include "core/store/process_table.h"
#include "core/store/published_trace.h"

#include <memory>
#include <mutex>

namespace highwater::store {

/// The end of the pipeline: takes decoded events, pairs them, keeps them in columns, and publishes prefixes.
/// Pipeline thread only, except latest().
class TraceStore final : public EventSink {
  public:
    explicit TraceStore(TraceHealth& health);
    ~TraceStore() override;

    void onMemoryEvent(const MemoryEvent& event) override;
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override;
    void onProcess(const ProcessEvent& event) override;
    void onThread(const ThreadEvent& event) override;
    void onImage(const ImageEvent& event) override;
    void onImageIdentity(const ImageIdentityEvent& event) override;
    void onVolumeMapping(const VolumeMappingEvent& event) override;
    void onTimeReached(TraceTime time) override;

    /// Publishes everything up to the time reached. Cheap, but copies the process table when that changed: call it some
    /// ten times a second, not per batch.
    std::shared_ptr<const PublishedTrace> publish();
    /// The newest prefix; never null. Any thread.
    [[nodiscard]] std::shared_ptr<const PublishedTrace> latest() const;

  private:
    SiteId beginSite(TableColumns& table, const MemoryEvent& event, HeapId heap, bool isRealloc);
    SiteId endSite(TableColumns& table, const MemoryEvent& event, HeapId heap, EndKind kind);
    StackId stackOf(const MemoryEvent& event, ProcessIndex process);
    void endCommitsOfProcess(ProcessIndex process, TraceTime time);

    TraceHealth& health_;
    std::shared_ptr<TraceColumns> columns_;
    ProcessTable processes_;
    OutstandingBlocks heapBlocks_;
    CommittedPages pages_;
    TraceTime timeReached_;
    std::uint64_t publications_ = 0;
    std::shared_ptr<const ProcessTable> processCopy_;
    std::uint64_t processCopyChanges_ = ~std::uint64_t{0};
    mutable std::mutex latestMutex_;
    std::shared_ptr<const PublishedTrace> latest_;
};

} // namespace highwater::store
