#pragma once

#include "core/base/seeded_hash.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace highwater::pipeline {

/// Recently sent stacks of processes. Their frames need not be sent again, because programs allocate at the same places
/// repeatedly. Bounded: the oldest ones are forgotten. One thread.
class SentStacks {
  public:
    /// Whether this stack was sent since the last forget(). It counts as sent from now on.
    [[nodiscard]] bool isKnown(std::uint32_t pid, const FramesHash& hash) {
        if (entries_.empty()) entries_.resize(kEntries);
        auto* pair = &entries_[(hash.first >> kShift) & ~std::size_t{1}];
        const auto when = (std::uint64_t{generation_} << 32) | pid;
        const Entry wanted = (hash.second ^ foldedProduct(when, processHashSeed.words[0])) | 1u;
        if (pair[0] == wanted) return true;
        const bool isSecond = pair[1] == wanted;
        pair[1] = std::exchange(pair[0], wanted); // the most recently used one is removed last
        return isSecond;
    }
    void forget() {
        if (++generation_ != 0) return;
        entries_.clear();
        generation_ = 1;
    }

  private:
    /// Half of the hash, with the process and the generation; 0 if unused. Together with its position this is 77 bits,
    /// which cannot be predicted.
    using Entry = std::uint64_t;

    static constexpr unsigned kBits = 15;
    static constexpr std::size_t kEntries = std::size_t{1} << kBits; ///< 256 KiB, so that they stay in the cache
    static constexpr unsigned kShift = 64 - kBits;

    std::vector<Entry> entries_;
    std::uint32_t generation_ = 1;
};

} // namespace highwater::pipeline
