#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace highwater::pipeline {

/// Passes pieces of work from one thread to the next, and used ones back for reuse of their memory. Bounded: the faster
/// thread waits. One producer, one consumer.
template <typename Piece>
class RelayQueue {
  public:
    explicit RelayQueue(std::size_t capacity) : capacity_(capacity) {}

    /// Takes the piece and leaves one to fill, as it was returned. False if the consumer has gone.
    bool push(Piece& piece) {
        std::unique_lock lock(mutex_);
        notFull_.wait(lock, [this] { return waiting_.size() < capacity_ || consumerGone_; });
        if (consumerGone_) return false;
        const bool wasEmpty = waiting_.empty();
        waiting_.push_back(std::move(piece));
        piece = Piece();
        if (!used_.empty()) {
            piece = std::move(used_.back());
            used_.pop_back();
        }
        lock.unlock();
        if (wasEmpty) notEmpty_.notify_one();
        return true;
    }
    /// The next piece; nothing when the producer has finished and all pieces are taken.
    std::optional<Piece> pop() {
        std::unique_lock lock(mutex_);
        notEmpty_.wait(lock, [this] { return !waiting_.empty() || producerFinished_; });
        if (waiting_.empty()) return std::nullopt;
        std::optional<Piece> piece(std::move(waiting_.front()));
        waiting_.pop_front();
        // Not for each one, so that the other thread has more work when it wakes up.
        const bool isHalfEmpty = waiting_.size() == capacity_ / 2;
        lock.unlock();
        if (isHalfEmpty) notFull_.notify_one();
        return piece;
    }
    void giveBack(Piece piece) {
        const std::lock_guard lock(mutex_);
        used_.push_back(std::move(piece));
    }
    void producerFinished() { set(producerFinished_); }
    void consumerGone() { set(consumerGone_); }

  private:
    void set(bool& fact) {
        {
            const std::lock_guard lock(mutex_);
            fact = true;
        }
        notFull_.notify_all();
        notEmpty_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable notFull_, notEmpty_;
    std::deque<Piece> waiting_; ///< oldest first
    std::vector<Piece> used_;
    std::size_t capacity_;
    bool producerFinished_ = false;
    bool consumerGone_ = false;
};

} // namespace highwater::pipeline
