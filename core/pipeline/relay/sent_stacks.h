#pragma once

#include "core/base/seeded_hash.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace highwater::pipeline {

/// Which stacks of which processes were sent lately: their frames need not be sent again. Programs allocate at the same
/// places over and over. Bounded: what does not fit is forgotten. One thread.
class SentStacks {
  public:
    /// Whether this one was sent since the last forget(). It counts as sent from now on.
    [[nodiscard]] bool isKnown(std::uint32_t pid, const FramesHash& hash) {
        if (entries_.empty()) entries_.resize(kEntries);
        auto* pair = &entries_[(hash.first >> kShift) & ~std::size_t{1}];
        const auto when = (std::uint64_t{generation_} << 32) | pid;
        const Entry wanted = (hash.second ^ foldedProduct(when, processHashSeed.words[0])) | 1u;
        if (pair[0] == wanted) return true;
        const bool isSecond = pair[1] == wanted;
        pair[1] = std::exchange(pair[0], wanted); // the one that was asked for last is the last to go
        return isSecond;
    }
    void forget() {
        if (++generation_ != 0) return;
        entries_.clear();
        generation_ = 1;
    }

  private:
    /// Half of the hash, with the process and the generation; 0: none. With its place that is 77 bits which nobody
    /// knows beforehand.
    using Entry = std::uint64_t;

    static constexpr unsigned kBits = 15;
    static constexpr std::size_t kEntries = std::size_t{1} << kBits; ///< 256 KiB: they stay in the cache
    static constexpr unsigned kShift = 64 - kBits;

    std::vector<Entry> entries_;
    std::uint32_t generation_ = 1;
};

} // namespace highwater::pipeline
