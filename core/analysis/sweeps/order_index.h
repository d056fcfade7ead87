#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Peaks of a whole table between any instants, read from the peaks that the store keeps per 64, 4096 and 262144
/// events: only the blocks in which a slice begins or ends are looked into. Levels include rows older than the trace.
class OrderIndex {
  public:
    explicit OrderIndex(const store::TableView& view);

    /// Peaks of the slices [edges[i], edges[i + 1]). A slice's peak is at least the level carried into it.
    [[nodiscard]] std::vector<SignedByteCount> peaks(const std::vector<TraceTime>& edges) const;

  private:
    /// A place between two events, and the level there.
    struct Edge {
        std::uint64_t event = 0;
        SignedByteCount level = 0;
        SignedByteCount peakToBlockEnd = 0;     ///< of the events from here to the end of the block
        SignedByteCount peakFromBlockStart = 0; ///< of the events of the block before here
    };
    /// Asks for the memory that edgeAt() of the block will want: first what names the rows, later the rows.
    void fetchEnds(std::uint64_t block) const;
    void fetchRows(std::uint64_t block) const;
    /// The block in which t falls, not before `from`; found fast if it is near the guess.
    [[nodiscard]] std::uint64_t blockOf(TraceTime t, std::uint64_t from, std::uint64_t guess) const;
    [[nodiscard]] Edge edgeAt(TraceTime t, std::uint64_t block) const;
    [[nodiscard]] SignedByteCount peakOfBlocks(std::uint64_t first, std::uint64_t last) const;
    [[nodiscard]] SignedByteCount peakInBlock(std::uint64_t first, std::uint64_t last) const;

    const store::TableView& view_;
    std::uint64_t events_; ///< those before the horizon
};

} // namespace highwater::analysis
