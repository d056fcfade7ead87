#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::store {

/// Code or an image at addresses [base, base + size) of one address space, in epochs [firstEpoch, lastEpoch).
struct EpochSpan {
    Address base = 0;
    ByteCount size = 0; ///< not 0
    std::uint32_t firstEpoch = 0;
    std::uint32_t lastEpoch = 0;
};

/// Finds the span at an address in an epoch, for hundreds of thousands of look-ups. A look-up takes a few dozen steps
/// regardless of the number of spans and replacements. If spans overlap, the last one counts. Immutable, any thread.
class EpochIndex {
  public:
    /// epochs: their number, at least 1. Later epochs are treated as the last one.
    EpochIndex(const std::vector<EpochSpan>& spans, std::uint32_t epochs);

    /// The index of the span.
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t epoch, Address address) const;

  private:
    /// Spans in which later ones hide earlier ones.
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
    /// together cover its epochs. The spans of an epoch are in the nodes from its leaf to the root.
    std::vector<Layers> nodes_;
};

} // namespace highwater::store
