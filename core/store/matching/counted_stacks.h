#pragma once

#include "core/base/seeded_hash.h"
#include "core/store/published/stack_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace highwater::store {

/// Stacks of events that make no rows: all that is asked of them is how many are not whole (StackTable). They go into
/// the table once; which went there lately is known here, by a hash of half the work. Pipeline thread only.
class CountedStacks {
  public:
    explicit CountedStacks(StackTable& stacks) : stacks_(stacks), entries_(kEntries) {}

    /// As StackTable::intern() counts it. There must be frames.
    void count(StackRoot root, std::span<const Address> frames) {
        const auto wanted = hashOf(root, frames);
        auto* pair = &entries_[(wanted >> kShift) & ~std::size_t{1}];
        if (pair[0] == wanted) return stacks_.noteKnown();
        const bool isSecond = pair[1] == wanted;
        pair[1] = std::exchange(pair[0], wanted); // the one that was asked for last is the last to go
        if (isSecond) return stacks_.noteKnown();
        (void)stacks_.intern(root, frames);
    }

  private:
    static constexpr unsigned kBits = 16;
    static constexpr std::size_t kEntries = std::size_t{1} << kBits; ///< 512 KiB: they stay in the cache
    static constexpr unsigned kShift = 64 - kBits;

    /// Of each two frames a product that waits for no other; where they lie is in the factors. Odd: none is 0, which
    /// means that there is no entry.
    static std::uint64_t hashOf(StackRoot root, std::span<const Address> frames) {
        const auto& seed = processHashSeed.words;
        auto sum = foldedProduct(((std::uint64_t{root.epoch} << 32) | root.process.value) ^ seed[2], seed[3]);
        auto first = seed[0], second = seed[1] ^ frames.size();
        std::size_t i = 0;
        for (; i + 2 <= frames.size(); i += 2, first += seed[2] | 1, second += seed[3] | 1)
            sum += foldedProduct(frames[i] ^ first, frames[i + 1] ^ second);
        if (i < frames.size()) sum += foldedProduct(frames[i] ^ first, second);
        return foldedProduct(sum ^ seed[1], seed[2]) | 1;
    }

    StackTable& stacks_;
    std::vector<std::uint64_t> entries_;
};

} // namespace highwater::store
