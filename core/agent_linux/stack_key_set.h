#pragma once

#include "core/agent_linux/system_calls.h"

#include <cstdint>

namespace highwater::agent {

/// The stack keys that a thread has defined in its ring. Grows with use up to a limit; then it forgets all of them, so
/// that they are defined once more. One thread only. Lies in memory that was zeroed.
class StackKeySet {
  public:
    [[nodiscard]] bool contains(std::uint64_t key) const {
        if (keys_ == nullptr) return false;
        for (std::uint64_t i = key & mask_;; i = (i + 1) & mask_) {
            if (keys_[i] == key) return true;
            if (keys_[i] == 0) return false;
        }
    }

    void insert(std::uint64_t key) {
        if (used_ * 2 >= capacity() && !grow()) return;
        place(key);
        ++used_;
    }

    void release() {
        if (keys_ != nullptr) returnPages(keys_, capacity() * sizeof *keys_);
        keys_ = nullptr;
        used_ = 0;
        mask_ = 0;
    }

  private:
    static constexpr std::uint64_t kLeast = 512;
    static constexpr std::uint64_t kMost = 256 * 1024;

    [[nodiscard]] std::uint64_t capacity() const { return keys_ == nullptr ? 0 : mask_ + 1; }
    void place(std::uint64_t key) {
        std::uint64_t i = key & mask_;
        while (keys_[i] != 0)
            i = (i + 1) & mask_;
        keys_[i] = key;
    }

    bool grow() {
        const std::uint64_t old = capacity();
        const std::uint64_t wanted = old == 0 ? kLeast : old * 4 < kMost ? old * 4 : kMost;
        auto* fresh = static_cast<std::uint64_t*>(takePages(wanted * sizeof *keys_));
        if (fresh == nullptr) return false;
        std::uint64_t* const before = keys_;
        keys_ = fresh;
        mask_ = wanted - 1;
        if (wanted == old) used_ = 0;
        for (std::uint64_t i = 0; i < old && wanted != old; ++i)
            if (before[i] != 0) place(before[i]);
        if (before != nullptr) returnPages(before, old * sizeof *keys_);
        return true;
    }

    std::uint64_t* keys_;
    std::uint64_t mask_;
    std::uint64_t used_;
};

} // namespace highwater::agent
