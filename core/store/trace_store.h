#pragma once

#include "core/event/event_sink.h"
#include "core/event/trace_health.h"
#include "core/store/code_book.h"
#include "core/store/managed_book.h"
#include "core/store/matching/committed_pages.h"
#include "core/store/matching/heap_lookahead.h"
#include "core/store/matching/heap_tally.h"
#include "core/store/matching/outstanding_blocks.h"
#include "core/store/measurement_book.h"
#include "core/store/published/process_table.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/table_cut.h"
#include "core/store/rundown_watch.h"
#include "core/store/snapshot_book.h"
#include "core/store/thread_lives.h"

#include <tsl/robin_set.h>

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace highwater::store {

/// Storage of heap blocks: rows that can be queried, or only counts (HeapTally), in a third of the time.
enum class BlockRows : std::uint8_t { Kept, Counted };

/// The end of the pipeline: takes decoded events, pairs them, stores them in columns, and publishes prefixes. Each
/// publication computes Loss::ProcessesUnknown: processes with memory events that have no name yet. Pipeline thread
/// only, except latest().
class TraceStore final : public EventSink {
  public:
    explicit TraceStore(TraceHealth& health, BlockRows blocks = BlockRows::Kept);
    ~TraceStore() override;

    void onMemoryEvent(const MemoryEvent& delivered) override;
    /// The same for HeapAlloc, HeapFree and HeapReAlloc if blocks are only counted and their stacks do not matter.
    void countBlock(const MemoryEvent& event) { tally_->push(event, rootOf(event.pid).process); }
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override;
    void onProcess(const ProcessEvent& event) override;
    void onThread(const ThreadEvent& event) override;
    void onImage(const ImageEvent& event) override;
    void onImageIdentity(const ImageIdentityEvent& event) override;
    void onCode(const CodeEvent& event) override;
    void onManagedType(std::uint32_t number, std::string_view name) override;
    void onGc(const GcEvent& event) override;
    void onVolumeMapping(const VolumeMappingEvent& event) override;
    void onMachine(const Guid& machine) override;
    void onRetainedRange(const RetainedRange& window) override;
    void onRundown(Occasion occasion, TraceTime time) override { rundown_.note(occasion, time); }
    void onSnapshot(const SnapshotTaken& taken) override { snapshots_.add(taken); }
    void onSnapshotUndone(TraceTime time) override { snapshots_.undo(time); }
    void onSnapshotBlock(const SnapshotBlock& block) override;
    void onResidentSample(const SharedResidentSample& sample) override { resident_.add(sample); }
    void onMemoryPicture(const SharedMemoryPicture& picture) override { pictures_.add(picture); }
    void onTimeReached(TraceTime time) override;

    /// The recorder was the Linux agent. Call before the first event.
    void setOfAgent() { isOfAgent_ = true; }
    /// Data that the file cannot contain. Call before the first event.
    void setLacks(const TraceLacks& lacks) { lacks_ = lacks; }

    /// Publishes everything up to the current time. Cheap, but copies the tables of processes and thread names if they
    /// changed. Call it about ten times per second and not per batch.
    std::shared_ptr<const PublishedTrace> publish();
    /// The newest prefix; never null. Any thread.
    [[nodiscard]] std::shared_ptr<const PublishedTrace> latest() const;

    /// Starts to discard the rows that ended before `start`, which must not be after the current time. The trace then
    /// begins there; older outstanding rows keep their times. Work continues in continueCut() so that events can be
    /// added in between. Readers see the whole trace until it is finished. Does nothing while an earlier cut is in
    /// progress, or if nothing would change.
    void cutBefore(TraceTime start);
    /// About 20 million events per second. Returns true while there is more to do; call it again, more often than
    /// events arrive.
    bool continueCut(std::uint64_t events);
    [[nodiscard]] bool isCutting() const { return cut_ != nullptr; }

    /// Requests the committed pages at this time, which must not be before any event that was delivered.
    void notePagesAt(TraceTime time) {
        pagesDue_ = time;
        pagesAt_.reset();
    }
    /// The result of the last request; null until all events before that time have been delivered. Immutable.
    [[nodiscard]] const std::shared_ptr<const PagesAt>& notedPages() const { return pagesAt_; }

    /// Outstanding bytes of heaps. Wraps around if sizes are damaged.
    [[nodiscard]] SignedByteCount heapBytesOutstanding();
    /// The most so far, if blocks are counted, for all processes that had this pid.
    [[nodiscard]] SignedByteCount mostHeapBytesOutstanding(std::uint32_t pid);
    /// Number of allocated heap blocks, whether or not rows are kept.
    [[nodiscard]] std::uint64_t heapAllocations();
    /// Memory used by the look-up tables of outstanding blocks, in addition to the columns.
    [[nodiscard]] std::uint64_t lookUpBytes() const { return heapBlocks_.bytesReserved(); }

  private:
    /// The current address space of a pid.
    struct KnownRoot {
        std::uint32_t pid = 0;
        bool valid = false;
        StackRoot root;
    };

    StackRoot rootOf(std::uint32_t pid) {
        const auto& known = knownRoots_[(pid >> 2) % knownRoots_.size()];
        if (known.valid && known.pid == pid) [[likely]]
            return known.root;
        return rootOfSlow(pid);
    }
    StackRoot rootOfSlow(std::uint32_t pid);
    void forgetRoots();
    void notePages();
    void countStack(const MemoryEvent& event);
    void noteHeap(const MemoryEvent& event, StackId stack);
    void noteStack(const ThreadEvent& event);
    void noteSegment(const GcEvent& event);
    void endProcess(ProcessIndex process, TraceTime time, EndKind kind);
    void copyTables();
    [[nodiscard]] TableView viewOf(const TableColumns& table) const;
    [[nodiscard]] std::uint64_t countUnnamedProcesses() const;

    /// The next generation during its creation.
    struct Cut {
        std::shared_ptr<TraceColumns> columns;
        TableCut heap;
        TableCut virtualAlloc;
        TableCut managed;
        TableCut gcHeap;
    };

    TraceHealth& health_;
    std::shared_ptr<TraceColumns> columns_;
    ProcessTable processes_;
    ThreadLives threads_;
    tsl::robin_set<std::uint32_t, SeededHash> threadsWithStack_; ///< recorded stack that has not ended
    OutstandingBlocks heapBlocks_;
    std::unique_ptr<HeapTally> tally_; ///< replaces heapBlocks_; null if rows are kept
    HeapLookahead lookahead_;          ///< heap events that are not in the columns yet
    CommittedPages pages_;
    std::array<KnownRoot, 64> knownRoots_{};
    std::vector<bool> hasMemoryEvents_; ///< [process]
    std::vector<bool> isEpochInUse_;    ///< [process]; whether its current epoch may have stacks
    TraceTime timeReached_;
    bool isOfAgent_ = false;
    TraceLacks lacks_;
    RundownWatch rundown_;
    SnapshotBook snapshots_;
    ResidentBook resident_;
    PictureBook pictures_;
    CodeBook code_;
    ManagedBook managed_;
    std::unique_ptr<Cut> cut_;
    TraceTime pagesDue_ = kNever;
    std::shared_ptr<const PagesAt> pagesAt_;
    std::uint64_t publications_ = 0;
    std::shared_ptr<const ProcessTable> processCopy_;
    std::uint64_t processCopyChanges_ = 0;
    std::shared_ptr<const ThreadNames> threadNamesCopy_; ///< null until there is one
    std::uint64_t threadNamesCopyChanges_ = 0;
    mutable std::mutex latestMutex_;
    std::shared_ptr<const PublishedTrace> latest_;
};

} // namespace highwater::store
