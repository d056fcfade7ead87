#include "core/pipeline/spool_writer.h"

#include "core/base/huge_pages.h"
#include "core/base/within_memory.h"
#include "core/pipeline/memory_after_peak.h"
#include "core/pipeline/spool/spool.h"

#include <algorithm>
#include <utility>

namespace highwater::pipeline {

SpoolWriter::SpoolWriter(SpoolFile& file, const Options& options)
    : file_(file), options_(options), queue_(options.mostBatchesWaiting, options.pool) {}

SpoolWriter::~SpoolWriter() { end(); }

void SpoolWriter::start(const TraceProperties& properties) {
    properties_ = properties;
    newestTicks_ = properties.firstTicks;
    if (options_.keepLast) window_.emplace(*options_.keepLast, properties, *this);
    file_.open(properties);
    thread_ = std::thread([this] { run(); });
}

void SpoolWriter::onBatch(etl::RecordBatch& batch) {
    batchRecords_ = batch.records.size();
    records_.fetch_add(batchRecords_, std::memory_order_relaxed);
    newestTicks_ = std::max(newestTicks_, batch.reachedTicks);
    if (batch.records.empty()) return;
    newestTicks_ = std::max(newestTicks_, batch.records.back().ticks);
    push(batch);
}

void SpoolWriter::keepWindow(store::TraceStore& store) {
    if (window_) window_->afterBatch(store, newestTicks_, batchRecords_);
}

void SpoolWriter::beginNext(std::int64_t startTicks) {
    tasks_.add(pushed_, [this, startTicks, gone = gap_.eventsBefore()] {
        file_.beginNext(startTicks, gone);
        return true;
    });
}

void SpoolWriter::continueInNext(CarryOver state) {
    tasks_.add(pushed_, [this, state = std::move(state)] { return file_.continueInNext(state); });
}

/// A source does not wait for a stalled disk. Records that define the meaning of others are always accepted.
void SpoolWriter::push(etl::RecordBatch& batch) {
    const bool isTaken = !gap_.isOpen() && queue_.offer(batch);
    if (!isTaken) {
        if (gap_.isOpen() && queue_.isHalfEmpty())
            gap_.close(batch, Spool::ownProcessor(properties_));
        else
            gap_.take(batch);
        inGaps_.store(gap_.events(), std::memory_order_relaxed);
        queue_.force(batch);
    }
    ++pushed_;
}

void SpoolWriter::closeGap() {
    etl::RecordBatch last;
    gap_.close(last, Spool::ownProcessor(properties_));
    queue_.force(last);
    ++pushed_;
}

void SpoolWriter::end() {
    const std::lock_guard lock(endMutex_);
    if (gap_.isOpen()) closeGap();
    queue_.producerFinished();
    if (thread_.joinable()) thread_.join();
}

void SpoolWriter::run() {
    std::uint64_t written = 0;
    MemoryAfterPeak memory(std::chrono::steady_clock::now());
    auto flushAt = std::chrono::steady_clock::now() + options_.flushEvery;
    while (!queue_.isFinished()) {
        auto batch = queue_.popFor(options_.flushEvery);
        // For all threads because this one frees memory that the source's thread allocated.
        if (memory.isDue(batch ? batch->records.size() : 0, std::chrono::steady_clock::now())) releaseFreeMemory();
        tryTo([&] {
            tasks_.runDue(written);
            if (batch) {
                ++written;
                file_.write(batch->records);
                queue_.giveBack(std::move(*batch));
            }
            const auto now = std::chrono::steady_clock::now();
            if (now < flushAt) return;
            flushAt = now + options_.flushEvery;
            file_.flush();
        });
    }
    tryTo([&] {
        tasks_.runDue(written);
        file_.dropNext();
        file_.flushAll();
    });
}

/// If memory runs out, the file lacks the current data, and records that.
template <typename Work>
void SpoolWriter::tryTo(const Work& work) {
    const auto done = withinMemory([&]() -> Result<void> {
        work();
        return {};
    });
    if (!done.hasValue()) file_.giveUpNext(done.error());
}

} // namespace highwater::pipeline
