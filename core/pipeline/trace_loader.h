#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/event/trace_health.h"
#include "core/event/trace_notes.h"
#include "core/pipeline/index/trace_facts.h"
#include "core/pipeline/trace_note_list.h"
#include "core/source/contract/record_source.h"
#include "core/store/published/published_trace.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace highwater::decode {
class RecordDecoder;
}
namespace highwater::store {
class TraceStore;
enum class BlockRows : std::uint8_t;
} // namespace highwater::store

namespace highwater::pipeline {

class BatchDecoder;
class BatchQueue;
class EventRelay;
class HeapAtPeaks;
class TraceIndexCache;
struct IndexedTrace;

/// Adds its own records after those of a batch of the source. Called on the pipeline thread.
class RecordAddition {
  public:
    virtual ~RecordAddition() = default;
    virtual void addTo(etl::RecordBatch& batch) = 0;
};

/// The source of a trace, and other consumers of its records.
struct TraceInput {
    /// Runs on the loader's thread.
    std::function<Result<std::unique_ptr<source::RecordSource>>(TraceHealth& health)> open;
    /// Called with the properties of the trace before the first record; may be null.
    std::function<void(const TraceProperties& properties)> opened;
    /// Called for each batch before it is decoded, and once more when the source has ended. Must outlive the loader;
    /// may be null.
    RecordAddition* addition = nullptr;
    /// Gets every batch after it was decoded, on the pipeline thread; may move it away. Must outlive the loader; may be
    /// null.
    etl::RecordSink* tap = nullptr;
    /// Runs on the pipeline thread after the tap; may be null.
    std::function<void(store::TraceStore& store)> afterBatch;
    /// Runs on the pipeline thread when the published trace has everything of a recording. What the addition contains
    /// afterwards are the last records. May be null.
    std::function<void()> beforeEnd;
    /// Whether heap blocks become rows.
    store::BlockRows blocks{};
    /// The names of its files, for the log; empty for a recording.
    std::string name = {};
};

enum class LoadState : std::uint8_t { Opening, Loading, Finished, Cancelled, Failed };

/// Reads one trace (files, or a recording in progress) into a store: source and header walk on one thread, decoding on
/// another for files, storing on a third (the pipeline thread, which is the only writer and also decodes recordings).
/// Prefixes are published about ten times per second.
///
/// The constructor starts loading by default; the destructor stops it and waits. All functions may be called by any
/// thread.
class TraceLoader {
  public:
    enum class Start {
        AtOnce,
        WhenAsked, ///< by start(): for an owner that the thread accesses, and that is not fully constructed yet
    };
    /// `index`: the cache from which a known trace is loaded, and to which it is saved, on the loader's thread after it
    /// has Finished, at low priority; cancel() also ends that. Null: no cache. `blocks`: Counted if rows of heap blocks
    /// are not needed; everything else stays the same, and no index is saved. Recordings of the agent have rows anyway,
    /// because the note about unrecorded memory needs them.
    explicit TraceLoader(std::vector<std::filesystem::path> paths, std::shared_ptr<TraceIndexCache> index = nullptr,
                         store::BlockRows blocks = {});
    explicit TraceLoader(TraceInput input, Start when = Start::AtOnce);
    ~TraceLoader();
    TraceLoader(const TraceLoader&) = delete;
    TraceLoader& operator=(const TraceLoader&) = delete;

    /// Call once if the constructor did not start.
    void start();

    [[nodiscard]] LoadState state() const { return state_.load(std::memory_order_acquire); }
    [[nodiscard]] bool isDone() const { return state() >= LoadState::Finished; }
    /// Bytes of the files: read, and in total.
    [[nodiscard]] const Progress& progress() const { return progress_; }
    /// The newest prefix: null while opening and if opening failed. After Cancelled: the part that had been read.
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> latest() const;
    /// Marks and samples so far. Never null.
    [[nodiscard]] std::shared_ptr<const TraceNotes> notes() const { return notes_.latest(); }
    /// Properties and file facts once state is beyond Opening; counts once isDone().
    [[nodiscard]] TraceFacts facts() const;
    /// Number of allocated heap blocks, even if their rows are not kept; valid once isDone().
    [[nodiscard]] std::uint64_t heapAllocations() const { return heapAllocations_.load(std::memory_order_relaxed); }
    /// The reason for Failed. Also set if reading failed in the middle, or memory ran out; data read so far stays.
    [[nodiscard]] std::optional<Error> error() const;

    /// Realtime sources end: recorded data is read to its end, and the state is Finished.
    void cancel() { stop_.request_stop(); }
    [[nodiscard]] bool isCancelled() const { return stop_.stop_requested(); }
    /// Waits until it is done and its index, if any, is written.
    void wait();

  private:
    void run();
    /// False if there is no usable index.
    bool openIndexed();
    void keepIndex();
    bool readAll();
    /// False if the source must be read again, from a new one.
    [[nodiscard]] bool load(source::RecordSource& source);
    void restartReading();
    void take(etl::RecordBatch& batch, BatchDecoder& decoder);
    Result<void> storeAhead(BatchQueue& queue, decode::RecordDecoder& decoder, EventRelay& relay,
                            store::TraceStore& store);
    void storeAlong(BatchQueue& queue, BatchDecoder& decoder, store::TraceStore& store);
    void publishIfDue(store::TraceStore& store);
    void noteMissingParts();
    void noteUnrecorded(store::TraceStore& store, const HeapAtPeaks* counted);
    void publish(std::shared_ptr<const store::PublishedTrace> trace);
    void fail(Error error);

    TraceInput input_;
    std::vector<std::filesystem::path> paths_; ///< the following members are about them
    std::shared_ptr<TraceIndexCache> index_;   ///< null if there is none
    std::string indexKey_;
    std::unique_ptr<TraceHealth> health_ = std::make_unique<TraceHealth>();
    TraceNoteList notes_;
    Progress progress_;
    std::atomic<LoadState> state_{LoadState::Opening};
    std::atomic<std::uint64_t> heapAllocations_{0};
    mutable std::mutex mutex_; ///< guards the next three
    std::shared_ptr<const store::PublishedTrace> latest_;
    TraceFacts facts_;
    std::optional<Error> error_;
    std::stop_source stop_;
    std::chrono::steady_clock::time_point publishAt_; ///< used by the pipeline thread
    std::mutex joinMutex_;
    std::thread thread_;
};

} // namespace highwater::pipeline
