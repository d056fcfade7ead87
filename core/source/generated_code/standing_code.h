#pragma once

#include "core/base/units.h"
#include "core/event/process_events.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::source {

/// Which code stands where in one process, as far as its runtime told: so that what is told again is not told on. One
/// thread.
class StandingCode {
  public:
    static constexpr std::size_t kMostPieces = 1'000'000;
    static constexpr std::uint64_t kMostNameBytes = std::uint64_t{64} << 20;
    explicit StandingCode(std::size_t mostPieces = kMostPieces, std::uint64_t mostNameBytes = kMostNameBytes)
        : mostPieces_(mostPieces), mostNameBytes_(mostNameBytes) {}

    /// What is new about it: RundownEnd, it was there at some time; Start, it replaces other code. Nothing: it is
    /// known, or there is too much.
    [[nodiscard]] std::optional<Occasion> add(Address start, std::uint32_t size, std::string_view name);
    /// Whether add() would say that it is known.
    [[nodiscard]] bool isKnown(Address start, std::uint32_t size, std::string_view name) const;
    /// What stands there; nothing: no piece that is known begins there.
    [[nodiscard]] std::optional<std::string> nameAt(Address start) const;
    /// Pieces that were too many, or whose names were too long for what is left of the bytes, so far.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  private:
    struct Piece {
        std::uint32_t size = 0;
        std::string name;
    };
    std::size_t mostPieces_;
    std::uint64_t mostNameBytes_;
    std::uint64_t nameBytes_ = 0; ///< of the pieces that stand
    std::map<Address, Piece> pieces_; ///< they do not overlap
    std::uint64_t dropped_ = 0;
};

} // namespace highwater::source
