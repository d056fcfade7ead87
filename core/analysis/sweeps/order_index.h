#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Peaks of a whole table between any instants, derived from the peaks that the store keeps per 64, 4096 and 262144
/// events. Only blocks in which a slice starts or ends are read. Levels include rows older than the trace.
class OrderIndex {
  public:
    explicit OrderIndex(const store::TableView& view);

    /// Peaks of the slices [edges[i], edges[i + 1]). The peak of a slice is at least the level at its start.
    [[nodiscard]] std::vector<SignedByteCount> peaks(const std::vector<TraceTime>& edges) const;

  private:
    /// A position between two events, and the level there.
    struct Edge {
        std::uint64_t event = 0;
        SignedByteCount level = 0;
        SignedByteCount peakToBlockEnd = 0;     ///< in the events from here to the end of the block
        SignedByteCount peakFromBlockStart = 0; ///< in the events of the block before here
    };
    /// Prefetches memory for edgeAt() in the block: first the row numbers, later the rows.
    void fetchEnds(std::uint64_t block) const;
    void fetchRows(std::uint64_t block) const;
    /// The block that contains t, not before `from`; fast if it is near the guess.
    [[nodiscard]] std::uint64_t blockOf(TraceTime t, std::uint64_t from, std::uint64_t guess) const;
    [[nodiscard]] Edge edgeAt(TraceTime t, std::uint64_t block) const;
    [[nodiscard]] SignedByteCount peakOfBlocks(std::uint64_t first, std::uint64_t last) const;
    [[nodiscard]] SignedByteCount peakInBlock(std::uint64_t first, std::uint64_t last) const;

    const store::TableView& view_;
    std::uint64_t events_; ///< events before the horizon
};

} // namespace highwater::analysis
