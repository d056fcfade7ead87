#pragma once

#include "core/agent_linux/system_calls.h"

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// The stack keys that a thread has defined in its ring. Grows up to a limit. When full, it forgets all keys, which are
/// then defined again. One thread only. Must be in zeroed memory.
///
/// It is kept small because it shares the processor's caches with the program.
///
/// Each lookup also passes the key of the caller's stack. Stacks with the same caller are in one cache line if there is
/// room, so that several allocations in one function wait for the memory only once.
class StackKeySet {
  public:
    [[nodiscard]] bool contains(std::uint64_t key, std::uint64_t callerKey) const {
        if (keys_ == nullptr) return false;
        const std::uint64_t line = lineOf(callerKey);
        for (std::uint64_t i = line; i < line + kInLine; ++i) {
            if (keys_[i] == key) return true;
            if (keys_[i] == 0) return false;
        }
        return isElsewhere(key);
    }

    void insert(std::uint64_t key, std::uint64_t callerKey) {
        if (used_ >= capacity() / 4 * 3 && !grow()) return;
        place(key, callerKey);
        ++used_;
    }

    void release() {
        std::uint64_t* const before = keys_;
        const std::uint64_t bytes = capacity() * sizeof *keys_;
        keys_ = nullptr;
        used_ = 0;
        mask_ = 0;
        if (before != nullptr) returnPages(before, bytes);
    }

  private:
    static constexpr std::uint64_t kLeast = 512;
    static constexpr std::uint64_t kMost = 256 * 1024;

    static constexpr std::uint64_t kInLine = 64 / sizeof(std::uint64_t);

    [[nodiscard]] std::uint64_t capacity() const { return keys_ == nullptr ? 0 : mask_ + 1; }
    [[nodiscard]] std::uint64_t lineOf(std::uint64_t callerKey) const { return callerKey & mask_ & ~(kInLine - 1); }
    /// For keys whose line is full: searches from the position that belongs to the key.
    [[nodiscard]] bool isElsewhere(std::uint64_t key) const {
        for (std::uint64_t i = key & mask_;; i = (i + 1) & mask_) {
            if (keys_[i] == key) return true;
            if (keys_[i] == 0) return false;
        }
    }
    void place(std::uint64_t key, std::uint64_t callerKey) {
        const std::uint64_t line = lineOf(callerKey);
        for (std::uint64_t i = line; i < line + kInLine; ++i) {
            if (keys_[i] != 0) continue;
            keys_[i] = key;
            return;
        }
        std::uint64_t i = key & mask_;
        while (keys_[i] != 0)
            i = (i + 1) & mask_;
        keys_[i] = key;
    }

    bool grow() {
        const std::uint64_t old = capacity();
        const std::uint64_t wanted = old == 0 ? kLeast : old * 2 < kMost ? old * 2 : kMost;
        auto* fresh = static_cast<std::uint64_t*>(takePages(wanted * sizeof *keys_));
        if (fresh == nullptr) return false;
        // The order matters: a signal handler that does not return may take the thread away from here.
        std::uint64_t* const before = keys_;
        keys_ = fresh;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        mask_ = wanted - 1;
        used_ = 0;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (before != nullptr) returnPages(before, old * sizeof *before);
        return true;
    }

    std::uint64_t* keys_;
    std::uint64_t mask_;
    std::uint64_t used_;
};

} // namespace highwater::agent
