#include "core/pipeline/batch_queue.h"

#include "core/base/vector_state.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

/// More are only filled after the consumer was stopped for a while.
constexpr std::size_t kMostEmpty = 16;

/// The approximate memory that a batch keeps alive. Several batches may share memory that they refer to.
std::uint64_t bytesOfBatch(const etl::RecordBatch& batch) {
    std::uint64_t bytes = sizeof(batch);
    for (const auto& record : batch.records)
        bytes += sizeof(record) + record.payloadBytes + record.extendedBytes;
    return bytes;
}

} // namespace

void BatchQueue::add(etl::RecordBatch& batch, std::uint64_t bytes) {
    if (waiting_.empty()) takenAt_ = Clock::now(); // the queue was empty
    waitingBytes_ += bytes;
    waiting_.push_back({std::move(batch), bytes});
    batch = etl::RecordBatch{};
    if (empty_.empty()) return;
    batch = std::move(empty_.back());
    empty_.pop_back();
}

// Both threads continue with thousands of records, each of which is copied.
bool BatchQueue::push(etl::RecordBatch& batch) {
    clearUpperVectorState();
    std::unique_lock lock(mutex_);
    notFull_.wait(lock, [this] { return waiting_.size() < capacity_ || consumerGone_; });
    if (consumerGone_) return false;
    add(batch, 0);
    const bool wakesConsumer = waiting_.size() >= wakesAt_;
    lock.unlock();
    if (wakesConsumer) notEmpty_.notify_one();
    return true;
}

/// Until there is room, or the consumer has stalled for too long.
void BatchQueue::waitForConsumer(std::unique_lock<std::mutex>& lock) {
    while (waiting_.size() >= capacity_ && Clock::now() - takenAt_ < pool_.patience)
        notFull_.wait_until(lock, takenAt_ + pool_.patience);
}

bool BatchQueue::offer(etl::RecordBatch& batch) {
    clearUpperVectorState();
    const auto bytes = bytesOfBatch(batch);
    std::unique_lock lock(mutex_);
    waitForConsumer(lock);
    if (waiting_.size() >= capacity_ && waitingBytes_ + bytes > pool_.mostBytes) return false;
    add(batch, bytes);
    lock.unlock();
    notEmpty_.notify_one();
    return true;
}

bool BatchQueue::isHalfEmpty() {
    const std::lock_guard lock(mutex_);
    return waitingBytes_ <= pool_.mostBytes / 2;
}

void BatchQueue::force(etl::RecordBatch& batch) {
    const auto bytes = bytesOfBatch(batch);
    std::unique_lock lock(mutex_);
    add(batch, bytes);
    lock.unlock();
    notEmpty_.notify_one();
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
    auto batch = std::move(waiting_.front().batch);
    waitingBytes_ -= waiting_.front().bytes;
    waiting_.pop_front();
    takenAt_ = Clock::now();
    // Not for every free slot, because two threads that wake each other for each batch are slow.
    const bool wakesProducer = waiting_.size() == capacity_ / 2;
    lock.unlock();
    if (wakesProducer) notFull_.notify_one();
    return batch;
}

void BatchQueue::giveBack(etl::RecordBatch batch) {
    batch.recycle(); // outside the lock because it may free much memory
    const std::lock_guard lock(mutex_);
    if (empty_.size() < std::min(capacity_, kMostEmpty)) empty_.push_back(std::move(batch));
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
