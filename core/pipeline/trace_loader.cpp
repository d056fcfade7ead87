#include "core/pipeline/trace_loader.h"

#include "core/base/counted.h"
#include "core/base/huge_pages.h"
#include "core/base/text.h"
#include "core/base/thread_priority.h"
#include "core/base/within_memory.h"
#include "core/decode/record_decoder.h"
#include "core/decode/records/clock.h"
#include "core/event/loss_log.h"
#include "core/log/log.h"
#include "core/pipeline/batch_decoder.h"
#include "core/pipeline/batch_queue.h"
#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/relay/event_relay.h"
#include "core/pipeline/unrecorded_memory.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/source/profiles/profile_files.h"
#include "core/store/trace_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>

namespace highwater::pipeline {
namespace {

/// Batches in flight: enough to even out compressed buffers, few enough to stay in the cache.
constexpr std::size_t kBatchesInFlight = 12;
constexpr auto kPublishEvery = std::chrono::milliseconds(100);
/// A publication copies the data of processes and modules, of which a trace may have any number. The next one waits for
/// this multiple of the time that the last one took.
constexpr int kBetweenPublications = 9;

/// The source's end of the queue.
class QueueSink final : public etl::RecordSink {
  public:
    QueueSink(BatchQueue& queue, std::stop_source& stop) : queue_(queue), stop_(stop) {}
    void onBatch(etl::RecordBatch& batch) override {
        if (!queue_.push(batch)) stop_.request_stop();
    }

  private:
    BatchQueue& queue_;
    std::stop_source& stop_;
};

/// The thread of the source. If it is no longer waited for because memory has run out, it is ended.
class ReaderThread {
  public:
    template <typename Read>
    ReaderThread(BatchQueue& queue, std::stop_source& stop, Read read) : queue_(queue), stop_(stop) {
        thread_ = std::thread([&queue, read] {
            read();
            queue.producerFinished();
        });
    }
    ~ReaderThread() {
        if (!thread_.joinable()) return;
        stop_.request_stop();
        queue_.consumerGone();
        thread_.join();
    }
    ReaderThread(const ReaderThread&) = delete;
    ReaderThread& operator=(const ReaderThread&) = delete;
    void join() { thread_.join(); }

  private:
    BatchQueue& queue_;
    std::stop_source& stop_;
    std::thread thread_;
};

/// Decodes batches of the reader for a storing thread. Ends when the reader does, or when the storing thread has gone.
class DecodingThread {
  public:
    DecodingThread(BatchQueue& queue, decode::RecordDecoder& decoder, EventRelay& relay) : relay_(relay) {
        thread_ = std::thread([this, &queue, &decoder] {
            outcome_ = withinMemory([&]() -> Result<void> {
                decodeAll(queue, decoder);
                return {};
            });
            queue.consumerGone();
            relay_.finish();
        });
    }
    ~DecodingThread() {
        if (!thread_.joinable()) return;
        relay_.consumerGone();
        thread_.join();
    }
    DecodingThread(const DecodingThread&) = delete;
    DecodingThread& operator=(const DecodingThread&) = delete;

    Result<void> join() {
        thread_.join();
        return outcome_;
    }

  private:
    void decodeAll(BatchQueue& queue, decode::RecordDecoder& decoder) {
        while (auto batch = queue.pop()) {
            decoder.decode(batch->records);
            decoder.reach(batch->reachedTicks);
            queue.giveBack(std::move(*batch));
            if (relay_.isGone()) return;
        }
        decoder.finish();
    }

    EventRelay& relay_;
    Result<void> outcome_;
    std::thread thread_;
};

/// "a.etl, b.etl"
std::string nameOfFiles(const std::vector<std::filesystem::path>& paths) {
    std::string name;
    for (const auto& path : paths)
        name += (name.empty() ? "" : ", ") + utf8(path);
    return name;
}

LogArea areaOf(const TraceInput& input) { return input.name.empty() ? LogArea::Recording : LogArea::Open; }

void logRead(const TraceInput& input, const store::PublishedTrace& trace, std::uint64_t heapAllocations,
             std::uint64_t bytes, std::chrono::duration<double> took) {
    const bool isRecording = input.name.empty();
    const auto range = trace.wholeRange();
    const auto processes = trace.processes->processes().size();
    log(LogLevel::Information, areaOf(input),
        fmt::format("{} in {:.3f} s: {}{} from heaps, {} from VirtualAlloc, {} {}, {:.3f} s of trace.",
                    isRecording ? "Recorded" : "Read " + input.name, took.count(),
                    isRecording ? "" : megabytes(bytes) + ", ", counted(heapAllocations, "allocation"),
                    thousands(trace.virtualAlloc.rows), thousands(processes),
                    byNumber(processes, "process", "processes"),
                    range.isEmpty() ? 0.0 : range.end.seconds() - range.start.seconds()));
}

TraceInput filesAsInput(std::vector<std::filesystem::path> paths, store::BlockRows blocks) {
    TraceInput input;
    input.name = nameOfFiles(paths);
    input.blocks = blocks;
    input.open = [paths = std::move(paths), blocks,
                  isFirst = true](TraceHealth& health) mutable -> Result<std::unique_ptr<source::RecordSource>> {
        for (const auto& path : paths) {
            if (!source::isProfile(path) && !source::isPacked(path)) continue;
            if (paths.size() == 1) return source::openProfile(path);
            return Error{
                ErrorKind::Usage,
                fmt::format(
                    "{} is not an event trace, and only event traces can be opened together. Open it on its own.",
                    utf8(path))};
        }
        auto opened = TRY(std::exchange(isFirst, false) ? source::EtlFileSource::openListedAhead(paths, health)
                                                        : source::EtlFileSource::open(paths, health));
        // Rows use several threads in turn, which sometimes leave a gap. Counting keeps one busy all the time.
        if (blocks == store::BlockRows::Counted) opened->setThreadsBeside(1);
        return std::unique_ptr<source::RecordSource>(std::move(opened));
    };
    return input;
}

} // namespace

TraceLoader::TraceLoader(std::vector<std::filesystem::path> paths, std::shared_ptr<TraceIndexCache> index,
                         store::BlockRows blocks)
    : TraceLoader(filesAsInput(paths, blocks), Start::WhenAsked) {
    paths_ = std::move(paths);
    index_ = std::move(index);
    start();
}

TraceLoader::TraceLoader(TraceInput input, Start when) : input_(std::move(input)) {
    if (when == Start::AtOnce) start();
}

void TraceLoader::start() {
    thread_ = std::thread([this] {
        const auto done = withinMemory([this]() -> Result<void> {
            run();
            return {};
        });
        if (!done.hasValue()) fail(done.error());
    });
}

TraceLoader::~TraceLoader() {
    cancel();
    wait();
}

void TraceLoader::wait() {
    const std::lock_guard lock(joinMutex_);
    if (thread_.joinable()) thread_.join();
}

std::shared_ptr<const store::PublishedTrace> TraceLoader::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

TraceFacts TraceLoader::facts() const {
    const std::lock_guard lock(mutex_);
    return facts_;
}

std::optional<Error> TraceLoader::error() const {
    const std::lock_guard lock(mutex_);
    return error_;
}

void TraceLoader::publish(std::shared_ptr<const store::PublishedTrace> trace) {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(trace);
}

void TraceLoader::fail(Error error) {
    const bool isWish = error.kind == ErrorKind::Cancelled;
    log(isWish ? LogLevel::Information : LogLevel::Error, areaOf(input_), error.message);
    {
        const std::lock_guard lock(mutex_);
        error_ = std::move(error);
    }
    state_.store(LoadState::Failed, std::memory_order_release);
}

bool TraceLoader::openIndexed() {
    if (!index_) return false;
    const auto begunAt = std::chrono::steady_clock::now();
    indexKey_ = index_->keyOf(paths_);
    auto found = index_->find(indexKey_, paths_);
    if (!found) return false;
    progress_.total = progress_.done = found->facts.properties.fileBytes;
    notes_.set(*found->notes);
    {
        const std::lock_guard lock(mutex_);
        facts_ = std::move(found->facts);
    }
    publish(std::move(found->trace));
    log(LogLevel::Information, areaOf(input_), "The following was read from a saved index.");
    logRead(input_, *latest(), latest()->heap.rows, progress_.total, std::chrono::steady_clock::now() - begunAt);
    logLosses(latest()->health);
    state_.store(LoadState::Finished, std::memory_order_release);
    return true;
}

/// Not urgent because the trace is shown already.
void TraceLoader::keepIndex() {
    if (!index_ || state() != LoadState::Finished || input_.blocks == store::BlockRows::Counted) return;
    lowerThreadPriority();
    const auto done = withinMemory([&]() -> Result<void> {
        index_->save(indexKey_, paths_, {latest(), facts(), notes()}, stop_.get_token());
        return {};
    });
    if (!done.hasValue()) log(LogLevel::Warning, areaOf(input_), done.error().message);
}

void TraceLoader::run() {
    if (openIndexed()) return;
    if (!readAll()) return;
    releaseFreeMemory(); // queues, and the tables of outstanding blocks
    keepIndex();
}

/// False if it could not be opened. Its files need not stay mapped afterwards.
bool TraceLoader::readAll() {
    for (;; restartReading()) {
        auto opened = input_.open(*health_);
        if (!opened.hasValue()) {
            fail(opened.error());
            return false;
        }
        {
            const std::lock_guard lock(mutex_);
            facts_.properties = opened.value()->properties();
            facts_.files = opened.value()->facts();
        }
        if (input_.opened) input_.opened(opened.value()->properties());
        state_.store(LoadState::Loading, std::memory_order_release);
        if (load(*opened.value())) return true;
    }
}

/// The last publication stays until there is a better one.
void TraceLoader::restartReading() {
    log(LogLevel::Information, areaOf(input_), input_.name + " has its buffers in an unusual order and is read again.");
    health_ = std::make_unique<TraceHealth>();
    notes_.set({});
    progress_.done = 0;
}

void TraceLoader::take(etl::RecordBatch& batch, BatchDecoder& decoder) {
    if (input_.addition != nullptr) input_.addition->addTo(batch);
    decoder.decode(batch);
    if (input_.tap != nullptr) input_.tap->onBatch(batch);
}

void TraceLoader::noteMissingParts() {
    const auto facts = this->facts();
    const decode::Clock clock(facts.properties);
    for (const auto& [name, lastTicks, place] : facts.files.earlyEnds)
        health_->note(fmt::format("{} ends at {:.3f} s, {}.", name, clock.toTime(lastTicks).seconds(), place));
    for (const auto& lost : facts.files.lost)
        health_->addZone({clock.toTime(lost.first), clock.toTime(lost.last), lost.what, lost.count, lost.isStartCertain,
                          lost.startEdge, lost.endEdge});
}

/// For the few largest processes.
void TraceLoader::noteUnrecorded(store::TraceStore& store, const HeapAtPeaks* counted) {
    constexpr std::size_t kMostProcesses = 3;
    if (!isOfAgent(facts().properties.sessionName)) return;
    const auto found = unrecordedMemory(*store.publish(), *notes_.latest(), counted);
    for (const auto& memory : std::span(found).first(std::min(found.size(), kMostProcesses))) {
        if (isGrowthMissing(memory))
            health_->noteUnrecorded(describe(memory), memory.grownUnrecorded);
        else if (isWorthSaying(memory))
            health_->note(describe(memory));
    }
}

/// Files are decoded ahead of storing, on another thread. A recording uses one thread because it has fewer records, and
/// because operations in between (marks, snapshots, the file) need both ends. So do files whose blocks are only
/// counted, because this takes less time than handing them over.
Result<void> TraceLoader::storeAhead(BatchQueue& queue, decode::RecordDecoder& decoder, EventRelay& relay,
                                     store::TraceStore& store) {
    DecodingThread decoding(queue, decoder, relay);
    while (auto block = relay.pop()) {
        block->deliverTo(store);
        const bool isWhole = block->endsWithTimeReached();
        relay.giveBack(std::move(*block));
        if (isWhole) publishIfDue(store);
    }
    return decoding.join();
}

void TraceLoader::storeAlong(BatchQueue& queue, BatchDecoder& decoder, store::TraceStore& store) {
    while (auto batch = queue.pop()) {
        take(*batch, decoder);
        if (input_.afterBatch) input_.afterBatch(store);
        queue.giveBack(std::move(*batch));
        publishIfDue(store);
    }
    const auto finish = [&] {
        etl::RecordBatch last;
        take(last, decoder);
        decoder.finish();
    };
    finish();
    if (!input_.beforeEnd) return;
    publish(store.publish());
    input_.beforeEnd();
    finish();
}

void TraceLoader::publishIfDue(store::TraceStore& store) {
    const auto now = std::chrono::steady_clock::now();
    if (now < publishAt_) return;
    publish(store.publish());
    const auto end = std::chrono::steady_clock::now();
    publishAt_ = end + std::max<std::chrono::nanoseconds>(kPublishEvery, kBetweenPublications * (end - now));
}

bool TraceLoader::load(source::RecordSource& source) {
    auto& health = *health_;
    const bool isOfFiles = input_.addition == nullptr && input_.tap == nullptr && !input_.afterBatch;
    const bool isAgents = isOfAgent(source.properties().sessionName);
    // noteUnrecorded() needs rows; and a row that represents many objects cannot be counted as a block.
    if (isOfFiles && (isAgents || source.properties().lacks.objects)) input_.blocks = store::BlockRows::Kept;
    store::TraceStore store(health, input_.blocks);
    if (isAgents) store.setOfAgent();
    store.setLacks(source.properties().lacks);
    const bool isCounted = input_.blocks == store::BlockRows::Counted;
    const bool isAhead = isOfFiles && !isCounted;
    EventRelay relay;
    auto& sink = isAhead ? static_cast<EventSink&>(relay) : store;
    PeakObserver observer(notes_, store);
    auto& notes = isCounted && !isOfFiles ? static_cast<decode::NoteObserver&>(observer) : notes_;
    decode::RecordDecoder decoder(source.properties(), sink, health, {.noteObserver = &notes});
    // For files, lost stacks are reported, so all of their records are decoded.
    BatchDecoder batches(decoder, store, health, isOfFiles ? store::BlockRows::Kept : input_.blocks);
    BatchQueue queue(kBatchesInFlight, isOfFiles && isCounted ? BatchQueue::Wakes::InRuns : BatchQueue::Wakes::AtOnce);
    Result<void> outcome;
    ReaderThread reader(queue, stop_, [&] {
        outcome = withinMemory([&] {
            QueueSink records(queue, stop_);
            return source.run(records, health, stop_.get_token(), progress_);
        });
    });
    const auto begunAt = std::chrono::steady_clock::now();
    publishAt_ = begunAt + kPublishEvery;
    Result<void> decoded;
    if (isAhead)
        decoded = storeAhead(queue, decoder, relay, store);
    else
        storeAlong(queue, batches, store);
    reader.join();
    if (!decoded.hasValue()) outcome = decoded;
    if (!outcome.hasValue() && outcome.error().kind == ErrorKind::OutOfOrder) return false;
    {
        const std::lock_guard lock(mutex_);
        facts_.files = source.facts();
        facts_.counts = decoder.counts();
        facts_.system = decoder.system();
        facts_.programEnd = source.programEnd();
    }
    heapAllocations_ = store.heapAllocations();
    (void)store.continueCut(std::numeric_limits<std::uint64_t>::max()); // no event waits for it any more
    noteMissingParts();
    noteUnrecorded(store, isCounted ? &observer.peaks() : nullptr);
    publish(store.publish());
    logRead(input_, *latest(), heapAllocations_, progress_.total, std::chrono::steady_clock::now() - begunAt);
    logLosses(latest()->health);
    if (!outcome.hasValue() && outcome.error().kind != ErrorKind::Cancelled) {
        fail(outcome.error());
        return true;
    }
    state_.store(outcome.hasValue() ? LoadState::Finished : LoadState::Cancelled, std::memory_order_release);
    return true;
}

} // namespace highwater::pipeline
