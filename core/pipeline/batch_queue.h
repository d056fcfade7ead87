#pragma once

#include "core/etl/raw_record.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace highwater::pipeline {

/// Hands batches from the source's thread to the pipeline thread, and empty ones back, so that their memory is used
/// again. Bounded: a source that is faster than the pipeline waits. One producer, one consumer.
class BatchQueue {
  public:
    explicit BatchQueue(std::size_t capacity) : capacity_(capacity) {}

    /// Takes what is in `batch` and leaves an empty one. Waits while the queue is full. False: the consumer has gone.
    bool push(etl::RecordBatch& batch);
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
    std::optional<etl::RecordBatch> takeFirst(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable notFull_;
    std::condition_variable notEmpty_;
    std::deque<etl::RecordBatch> waiting_; ///< oldest first
    std::vector<etl::RecordBatch> empty_;
    std::size_t capacity_;
    bool producerFinished_ = false;
    bool consumerGone_ = false;
};

} // namespace highwater::pipeline
