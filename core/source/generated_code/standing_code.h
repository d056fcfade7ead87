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
    explicit StandingCode(std::size_t mostPieces = kMostPieces) : mostPieces_(mostPieces) {}

    /// What is new about it: RundownEnd, it was there at some time; Start, it replaces other code. Nothing: it is
    /// known, or there is too much.
    [[nodiscard]] std::optional<Occasion> add(Address start, std::uint32_t size, std::string_view name);
    /// What stands there; nothing: no piece that is known begins there.
    [[nodiscard]] std::optional<std::string> nameAt(Address start) const;
    /// Pieces that were too many, so far.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  private:
    struct Piece {
        std::uint32_t size = 0;
        std::string name;
    };
    std::size_t mostPieces_;
    std::map<Address, Piece> pieces_; ///< they do not overlap
    std::uint64_t dropped_ = 0;
};

} // namespace highwater::source
