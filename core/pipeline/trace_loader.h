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

/// Adds records of its own to those of the source, after those of a batch. Called on the pipeline thread.
class RecordAddition {
  public:
    virtual ~RecordAddition() = default;
    virtual void addTo(etl::RecordBatch& batch) = 0;
};

/// Where a trace comes from, and who else wants its records.
struct TraceInput {
    /// Runs on the loader's thread.
    std::function<Result<std::unique_ptr<source::RecordSource>>(TraceHealth& health)> open;
    /// Told the properties of the trace before the first record; may be null.
    std::function<void(const TraceProperties& properties)> opened;
    /// Asked for each batch before it is decoded, and once more when the source has ended. Must outlive the loader; may
    /// be null.
    RecordAddition* addition = nullptr;
    /// Gets every batch after it was decoded, on the pipeline thread; may move it away. Must outlive the loader; may be
    /// null.
    etl::RecordSink* tap = nullptr;
    /// Runs on the pipeline thread after the tap; may be null.
    std::function<void(store::TraceStore& store)> afterBatch;
    /// Whether blocks of heaps become rows.
    store::BlockRows blocks{};
    /// The names of its files, for the log; empty: it is a recording.
    std::string name = {};
};

enum class LoadState : std::uint8_t { Opening, Loading, Finished, Cancelled, Failed };

/// Reads one trace (files, or a recording while it is made) into a store: source and header walk on one thread, decode
/// on another for files, store on a third (the pipeline thread, the only writer; it decodes recordings, too). Prefixes
/// are published some ten times a second while it goes on.
///
/// The constructor starts, unless it is told not to; the destructor stops and waits. All functions may be called by any
/// thread.
class TraceLoader {
  public:
    enum class Start {
        AtOnce,
        WhenAsked, ///< by start(): for an owner that its thread looks at, and that is not whole yet
    };
    /// `index`: where a trace that was opened before is taken from as it was made then, and kept for the next time, on
    /// the loader's thread after it has Finished, at low priority; cancel() ends that, too. Null: nowhere.
    /// `blocks`: Counted where nobody asks for rows of heaps: all but these is the same, and no index is kept.
    /// Recordings of the agent have rows all the same: what is said of memory that was not recorded needs them.
    explicit TraceLoader(std::vector<std::filesystem::path> paths, std::shared_ptr<TraceIndexCache> index = nullptr,
                         store::BlockRows blocks = {});
    explicit TraceLoader(TraceInput input, Start when = Start::AtOnce);
    ~TraceLoader();
    TraceLoader(const TraceLoader&) = delete;
    TraceLoader& operator=(const TraceLoader&) = delete;

    /// Once, where the constructor did not.
    void start();

    [[nodiscard]] LoadState state() const { return state_.load(std::memory_order_acquire); }
    [[nodiscard]] bool isDone() const { return state() >= LoadState::Finished; }
    /// Bytes of the files, read and in all.
    [[nodiscard]] const Progress& progress() const { return progress_; }
    /// The newest prefix: null while opening and when opening failed. After Cancelled: what had been read.
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> latest() const;
    /// Marks and samples until now. Never null.
    [[nodiscard]] std::shared_ptr<const TraceNotes> notes() const { return notes_.latest(); }
    /// Properties and file facts once state is beyond Opening; counts once isDone().
    [[nodiscard]] TraceFacts facts() const;
    /// Blocks of heaps that were allocated, also where no rows of them are kept; known once isDone().
    [[nodiscard]] std::uint64_t heapAllocations() const { return heapAllocations_.load(std::memory_order_relaxed); }
    /// Why it Failed. Also set when reading failed in the middle, or memory ran out: what was read stays.
    [[nodiscard]] std::optional<Error> error() const;

    /// Realtime sources end: what was recorded is read to its end, and the state is Finished.
    void cancel() { stop_.request_stop(); }
    /// Until it is done, and its index is written, where one is.
    void wait();

  private:
    void run();
    /// False: there is no index that can be used.
    bool openIndexed();
    void keepIndex();
    bool readAll();
    /// False: the source is to be read again, from a new one.
    [[nodiscard]] bool load(source::RecordSource& source);
    void beginAgain();
    void take(etl::RecordBatch& batch, BatchDecoder& decoder);
    Result<void> storeAhead(BatchQueue& queue, decode::RecordDecoder& decoder, EventRelay& relay,
                            store::TraceStore& store);
    void storeAlong(BatchQueue& queue, BatchDecoder& decoder, store::TraceStore& store);
    void publishIfDue(store::TraceStore& store);
    void noteWhatFilesLack();
    void noteUnrecorded(store::TraceStore& store, const HeapAtPeaks* counted);
    void publish(std::shared_ptr<const store::PublishedTrace> trace);
    void fail(Error error);

    TraceInput input_;
    std::vector<std::filesystem::path> paths_; ///< what follows is about them
    std::shared_ptr<TraceIndexCache> index_;   ///< null: there is none
    std::string indexKey_;
    std::unique_ptr<TraceHealth> health_ = std::make_unique<TraceHealth>();
    TraceNoteList notes_;
    Progress progress_;
    std::atomic<LoadState> state_{LoadState::Opening};
    std::atomic<std::uint64_t> heapAllocations_{0};
    mutable std::mutex mutex_; ///< guards the three below
    std::shared_ptr<const store::PublishedTrace> latest_;
    TraceFacts facts_;
    std::optional<Error> error_;
    std::stop_source stop_;
    std::chrono::steady_clock::time_point publishAt_; ///< the pipeline thread's
    std::mutex joinMutex_;
    std::thread thread_;
};

} // namespace highwater::pipeline
