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

/// The addresses of a process that anything had, one behind the other, without the gaps between them: a position is an
/// offset into these. Immutable.
class AddressLayout {
  public:
    /// Where addresses follow each other.
    struct Part {
        Address first = 0;
        ByteCount size = 0;
        std::uint64_t position = 0; ///< of `first`
        [[nodiscard]] std::uint64_t end() const { return position + size; }
    };
    /// Addresses that lie nearer to each other than this are in one part, with what is between them.
    static constexpr ByteCount kGap = ByteCount{1} << 20;
    /// Parts begin and end at multiples of this.
    static constexpr ByteCount kGranule = ByteCount{1} << 16;
    /// There are no positions behind it: what lies there is left out.
    static constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 60;

    AddressLayout() = default;
    /// first granule and one after the last, in any order, overlapping or not.
    explicit AddressLayout(std::vector<std::pair<std::uint64_t, std::uint64_t>> granules);

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] std::uint64_t size() const { return parts_.empty() ? 0 : parts_.back().end(); }
    /// Null: nothing was ever there.
    [[nodiscard]] const Part* partOf(Address address) const;
    [[nodiscard]] std::optional<std::uint64_t> positionOf(Address address) const;
    /// That of the nearest address at or behind this one; size(): there is none.
    [[nodiscard]] std::uint64_t positionFrom(Address address) const;
    /// position < size().
    [[nodiscard]] Address addressAt(std::uint64_t position) const;

  private:
    std::vector<Part> parts_;
};

/// Where the rows of both tables lie, over the whole trace; of every `sample`-th block of rows only, to be quick.
/// Nothing when stopped.
[[nodiscard]] std::optional<AddressLayout> layOutAddresses(const store::PublishedTrace& trace, ProcessIndex process,
                                                           std::uint32_t sample, const std::stop_token& stop);

} // namespace highwater::analysis
