#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The used addresses of a process, in order, without the gaps between them. A position is an offset into these.
/// Immutable.
class AddressLayout {
  public:
    /// A contiguous range of addresses.
    struct Part {
        Address first = 0;
        ByteCount size = 0;
        std::uint64_t position = 0; ///< position of `first`
        [[nodiscard]] std::uint64_t end() const { return position + size; }
    };
    /// Addresses closer than this are in one part, including the addresses between them.
    static constexpr ByteCount kGap = ByteCount{1} << 20;
    /// Parts start and end at multiples of this.
    static constexpr ByteCount kGranule = ByteCount{1} << 16;
    /// Positions end here; addresses beyond are omitted.
    static constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 60;

    AddressLayout() = default;
    /// Pairs of the first granule and one past the last, in any order, overlapping or not.
    explicit AddressLayout(std::vector<std::pair<std::uint64_t, std::uint64_t>> granules);

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] std::uint64_t size() const { return parts_.empty() ? 0 : parts_.back().end(); }
    /// Null: the address was never used.
    [[nodiscard]] const Part* partOf(Address address) const;
    [[nodiscard]] std::optional<std::uint64_t> positionOf(Address address) const;
    /// Position of the nearest used address at or after this one; size(): none.
    [[nodiscard]] std::uint64_t positionFrom(Address address) const;
    /// position < size().
    [[nodiscard]] Address addressAt(std::uint64_t position) const;

  private:
    std::vector<Part> parts_;
};

/// Lays out the rows of both tables over the whole trace. Reads only every `sample`-th block of rows for speed.
/// Nothing: stopped.
[[nodiscard]] std::optional<AddressLayout> layOutAddresses(const store::PublishedTrace& trace, ProcessIndex process,
                                                           std::uint32_t sample, const std::stop_token& stop);

} // namespace highwater::analysis
