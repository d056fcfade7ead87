#pragma once

#include "core/base/units.h"
#include "core/event/process_events.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::source {

/// The current code of one process as its runtime has reported it, used to drop repeated reports. One thread.
class StandingCode {
  public:
    static constexpr std::size_t kMostPieces = 1'000'000;
    static constexpr std::uint64_t kMostNameBytes = std::uint64_t{64} << 20;
    explicit StandingCode(std::size_t mostPieces = kMostPieces, std::uint64_t mostNameBytes = kMostNameBytes)
        : mostPieces_(mostPieces), mostNameBytes_(mostNameBytes) {}

    /// Adds a piece. RundownEnd: it existed at some time; Start: it replaces other code. Nothing: it is already known,
    /// or a limit is exceeded.
    [[nodiscard]] std::optional<Occasion> add(Address start, std::uint32_t size, std::string_view name);
    /// Whether add() would return nothing because the piece is known.
    [[nodiscard]] bool isKnown(Address start, std::uint32_t size, std::string_view name) const;
    /// The name of the piece that starts there; nothing: none.
    [[nodiscard]] std::optional<std::string> nameAt(Address start) const;
    /// Number of pieces dropped so far because of the limits on pieces and name bytes.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  private:
    struct Piece {
        std::uint32_t size = 0;
        std::string name;
    };
    std::size_t mostPieces_;
    std::uint64_t mostNameBytes_;
    std::uint64_t nameBytes_ = 0;     ///< total size of the current names
    std::map<Address, Piece> pieces_; ///< never overlapping
    std::uint64_t dropped_ = 0;
};

} // namespace highwater::source
