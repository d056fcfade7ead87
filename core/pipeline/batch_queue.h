#pragma once

#include "core/etl/raw_record.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace highwater::pipeline {

/// Hands batches from the source's thread to the pipeline thread, and empty ones back, so that their memory is used
/// again. Bounded: a source that is faster than the pipeline waits. One producer, one consumer.
class BatchQueue {
  public:
    /// For producers that must not wait for a consumer that stands still.
    struct Pool {
        std::uint64_t mostBytes = 0;           ///< of records and payloads that may wait then
        std::chrono::milliseconds patience{0}; ///< a consumer that has taken nothing for so long stands still
    };

    /// When a consumer that has nothing left is woken. InRuns: once the queue is half full, for a source that goes on
    /// anyway; two threads that wake each other batch by batch spend their time on that.
    enum class Wakes : std::uint8_t { AtOnce, InRuns };

    explicit BatchQueue(std::size_t capacity, Wakes wakes = Wakes::AtOnce)
        : capacity_(capacity), wakesAt_(wakes == Wakes::InRuns ? capacity / 2 : 0) {}
    BatchQueue(std::size_t capacity, const Pool& pool) : capacity_(capacity), pool_(pool) {}

    /// Takes what is in `batch` and leaves an empty one. Waits while the queue is full. False: the consumer has gone.
    bool push(etl::RecordBatch& batch);
    /// The same where there is a pool: a slow consumer is waited for, but not one that stands still; then the pool
    /// fills. False: it is full, and the batch is as it was.
    bool offer(etl::RecordBatch& batch);
    /// Whether at most half of the pool is in use.
    [[nodiscard]] bool isHalfEmpty();
    /// Takes it in any case, and waits for nobody.
    void force(etl::RecordBatch& batch);

    /// The next batch; nothing when the producer has finished and all is taken.
    std::optional<etl::RecordBatch> pop();
    /// The same, but nothing also when none came in time: isFinished() tells.
    std::optional<etl::RecordBatch> popFor(std::chrono::milliseconds patience);
    /// The producer has finished and all is taken.
    [[nodiscard]] bool isFinished();
    void giveBack(etl::RecordBatch batch);
    void producerFinished();
    void consumerGone();

  private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        etl::RecordBatch batch;
        std::uint64_t bytes = 0; ///< counted where there is a pool
    };
    void add(etl::RecordBatch& batch, std::uint64_t bytes);
    void waitForConsumer(std::unique_lock<std::mutex>& lock);
    std::optional<etl::RecordBatch> takeFirst(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable notFull_;
    std::condition_variable notEmpty_;
    std::deque<Waiting> waiting_; ///< oldest first
    std::vector<etl::RecordBatch> empty_;
    std::size_t capacity_;
    std::size_t wakesAt_ = 0; ///< the consumer, where so many wait
    Pool pool_;
    std::uint64_t waitingBytes_ = 0;
    Clock::time_point takenAt_ = Clock::now(); ///< or found empty
    bool producerFinished_ = false;
    bool consumerGone_ = false;
};

} // namespace highwater::pipeline
