#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::store {

/// What stood at some addresses of one address space: [base, base + size), in epochs [firstEpoch, lastEpoch).
struct EpochSpan {
    Address base = 0;
    ByteCount size = 0; ///< not 0
    std::uint32_t firstEpoch = 0;
    std::uint32_t lastEpoch = 0;
};

/// Finds what stood at an address in an epoch, for look-ups by the hundred thousand: however many spans there are, and
/// however often they replaced each other, one takes a few dozen steps. Where several stand, the last one counts.
/// Immutable, any thread.
class EpochIndex {
  public:
    /// epochs: how many there are, at least 1; later ones are taken for the last.
    EpochIndex(const std::vector<EpochSpan>& spans, std::uint32_t epochs);

    /// Which of the spans.
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t epoch, Address address) const;

  private:
    /// Spans of which later ones hide earlier ones.
    class Layers {
      public:
        Layers(const std::vector<EpochSpan>& spans, const std::vector<std::uint32_t>& numbers);
        [[nodiscard]] std::optional<std::uint32_t> find(Address address) const;

      private:
        struct Stretch { // [first, last]
            Address first = 0;
            Address last = 0;
            std::uint32_t span = 0;
        };
        std::vector<Stretch> stretches_; ///< by address
    };

    std::uint32_t epochs_;
    std::uint32_t leaves_;
    /// A tree over the epochs: 1 is the root, the children of n are 2n and 2n + 1. Each span is in the few nodes that
    /// together are its epochs; those of an epoch are in the nodes from its leaf up to the root.
    std::vector<Layers> nodes_;
};

} // namespace highwater::store
