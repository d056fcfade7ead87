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

/// Passes batches from the source's thread to the pipeline thread, and empty ones back for reuse of their memory.
/// Bounded: a source that is faster than the pipeline waits. One producer, one consumer.
class BatchQueue {
  public:
    /// For producers that must not wait for a stalled consumer.
    struct Pool {
        std::uint64_t mostBytes = 0;           ///< maximum size of waiting records and payloads
        std::chrono::milliseconds patience{0}; ///< the consumer is stalled if it has taken nothing for this long
    };

    /// Determines when a consumer that has nothing to do is woken. InRuns: once the queue is half full, for a source
    /// that continues anyway. Two threads that wake each other for each batch are slow.
    enum class Wakes : std::uint8_t { AtOnce, InRuns };

    explicit BatchQueue(std::size_t capacity, Wakes wakes = Wakes::AtOnce)
        : capacity_(capacity), wakesAt_(wakes == Wakes::InRuns ? capacity / 2 : 0) {}
    BatchQueue(std::size_t capacity, const Pool& pool) : capacity_(capacity), pool_(pool) {}

    /// Takes the contents of `batch` and leaves an empty one. Waits while the queue is full. False if the consumer has
    /// gone.
    bool push(etl::RecordBatch& batch);
    /// The same with a pool. Waits for a slow consumer but not for a stalled one, for which the pool is used. Returns
    /// false and leaves the batch unchanged if the pool is full.
    bool offer(etl::RecordBatch& batch);
    /// Whether at most half of the pool is in use.
    [[nodiscard]] bool isHalfEmpty();
    /// Takes the batch in any case, without waiting.
    void force(etl::RecordBatch& batch);

    /// The next batch; nothing when the producer has finished and all batches are taken.
    std::optional<etl::RecordBatch> pop();
    /// The same, but also returns nothing after a timeout; isFinished() distinguishes the two.
    std::optional<etl::RecordBatch> popFor(std::chrono::milliseconds patience);
    /// The producer has finished and all batches are taken.
    [[nodiscard]] bool isFinished();
    void giveBack(etl::RecordBatch batch);
    void producerFinished();
    void consumerGone();

  private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        etl::RecordBatch batch;
        std::uint64_t bytes = 0; ///< counted if there is a pool
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
    std::size_t wakesAt_ = 0; ///< the consumer is woken when this many wait
    Pool pool_;
    std::uint64_t waitingBytes_ = 0;
    Clock::time_point takenAt_ = Clock::now(); ///< or found the queue empty
    bool producerFinished_ = false;
    bool consumerGone_ = false;
};

} // namespace highwater::pipeline
