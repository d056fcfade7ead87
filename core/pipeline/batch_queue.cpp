#include "core/pipeline/batch_queue.h"

#include "core/base/vector_state.h"

namespace highwater::pipeline {

// Both threads go on with thousands of records, each of them copied.
bool BatchQueue::push(etl::RecordBatch& batch) {
    clearUpperVectorState();
    std::unique_lock lock(mutex_);
    notFull_.wait(lock, [this] { return waiting_.size() < capacity_ || consumerGone_; });
    if (consumerGone_) return false;
    waiting_.push_back(std::move(batch));
    batch = etl::RecordBatch{};
    if (!empty_.empty()) {
        batch = std::move(empty_.back());
        empty_.pop_back();
    }
    lock.unlock();
    notEmpty_.notify_one();
    return true;
}

std::optional<etl::RecordBatch> BatchQueue::pop() {
    std::unique_lock lock(mutex_);
    notEmpty_.wait(lock, [this] { return !waiting_.empty() || producerFinished_; });
    return takeFirst(lock);
}

std::optional<etl::RecordBatch> BatchQueue::popFor(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    notEmpty_.wait_for(lock, patience, [this] { return !waiting_.empty() || producerFinished_; });
    return takeFirst(lock);
}

bool BatchQueue::isFinished() {
    const std::lock_guard lock(mutex_);
    return producerFinished_ && waiting_.empty();
}

std::optional<etl::RecordBatch> BatchQueue::takeFirst(std::unique_lock<std::mutex>& lock) {
    clearUpperVectorState();
    if (waiting_.empty()) return std::nullopt;
    auto batch = std::move(waiting_.front());
    waiting_.pop_front();
    // Not for every free place: two threads that wake each other batch by batch spend their time on that.
    const bool wakesProducer = waiting_.size() == capacity_ / 2;
    lock.unlock();
    if (wakesProducer) notFull_.notify_one();
    return batch;
}

void BatchQueue::giveBack(etl::RecordBatch batch) {
    batch.recycle(); // outside the lock: the memory it kept may be large
    const std::lock_guard lock(mutex_);
    if (empty_.size() < capacity_) empty_.push_back(std::move(batch));
}

void BatchQueue::producerFinished() {
    {
        const std::lock_guard lock(mutex_);
        producerFinished_ = true;
    }
    notEmpty_.notify_all();
}

void BatchQueue::consumerGone() {
    {
        const std::lock_guard lock(mutex_);
        consumerGone_ = true;
    }
    notFull_.notify_all();
}

} // namespace highwater::pipeline
