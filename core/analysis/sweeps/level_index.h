#pragma once

#include "core/analysis/rows/large_array.h"
#include "core/analysis/sweeps/groups_of_sites.h"
#include "core/analysis/sweeps/row_sweep.h"
#include "core/analysis/sweeps/site_sweep.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Levels of groups of sites per block of events: the level before the block and its peak, for each group. Peaks
/// between any instants, also for several groups together, are derived from these. Events are only read in blocks in
/// which a slice starts or ends, and where several groups together may exceed the known peak. Built by one sweep over
/// all events; independent of any interval. Immutable; any thread.
class LevelIndex {
  public:
    /// For one view, while it and its columns exist.
    struct Source {
        const store::TableView* view = nullptr;
        RowSweep::Measure measure = RowSweep::Measure::Bytes;
    };

    /// Whether levels add up without wrapping and rows are released as a whole, as the index requires. Other tables are
    /// swept.
    [[nodiscard]] static bool canIndex(const store::TableView& view);
    /// Block lengths limit an index to this many levels of 16 bytes each.
    static constexpr std::uint64_t kMostLevels = std::uint64_t{1} << 21;
    static constexpr std::uint64_t kShortestBlock = 512;
    /// An index stores 4 bytes per row for faster sweeps of blocks, up to this many bytes in total.
    static constexpr std::uint64_t kMostBytesOfWords = std::uint64_t{128} << 20;
    /// The block length for this number of events and groups: a power of 2.
    [[nodiscard]] static std::uint64_t blockEventsFor(std::uint64_t events, std::uint32_t groups);

    /// Null: stopped. blockEvents: a power of 2, at least 64. before: an index of an earlier publication of the same
    /// columns, with the same groups for the sites that existed then, the same number of groups, and the same block
    /// length; its data is reused. Null: none.
    [[nodiscard]] static std::shared_ptr<const LevelIndex> make(const Source& source, const GroupsOfSites& groups,
                                                                std::uint64_t blockEvents, const LevelIndex* before,
                                                                const std::stop_token& stop);

    /// Maps groups to lines: by group from 0 (0 is group 1); kNoLine: no line.
    static constexpr std::uint32_t kNoLine = 0xFFFFFFFFu;
    struct Lines {
        std::size_t count = 0;
        std::vector<std::uint32_t> ofGroup;
    };
    using Peaks = std::vector<std::vector<SignedByteCount>>; ///< by line and slice
    /// The peaks of the slices [edges[i], edges[i + 1]), including the levels at their start: exact. The source must be
    /// that of make(). Nothing: stopped.
    [[nodiscard]] std::optional<Peaks> peaks(const Source& source, std::span<const TraceTime> edges, const Lines& lines,
                                             const std::stop_token& stop) const;
    /// Upper bounds of these, derived from blocks only: reads no events.
    [[nodiscard]] std::optional<Peaks> bounds(const Source& source, std::span<const TraceTime> edges,
                                              const Lines& lines, const std::stop_token& stop) const;

    [[nodiscard]] const GroupsOfSites& groups() const { return groups_; }
    /// Whether there are rows of 0 bytes, which do not affect levels.
    [[nodiscard]] bool hasEmptyRows() const { return hasEmptyRows_; }
    [[nodiscard]] std::uint64_t blockEvents() const { return blockEvents_; }
    [[nodiscard]] std::uint64_t bytes() const {
        return blocks_.size() * sizeof(Entry) + groups_.ofSite.size() * sizeof(std::uint32_t) + words_.bytes();
    }

  private:
    friend class LevelQuery;
    struct Entry {
        SignedByteCount level = 0; ///< before the block
        SignedByteCount peak = 0;  ///< in the block, including the level before
    };
    LevelIndex() = default;
    [[nodiscard]] const Entry* entries(std::uint64_t block) const {
        return blocks_.data() + block * std::uint64_t{groups_.count};
    }
    bool fill(const Source& source, std::uint64_t firstBlock, const std::stop_token& stop);

    GroupsOfSites groups_;
    std::uint64_t blockEvents_ = 0;
    std::uint64_t events_ = 0; ///< events before the horizon
    bool hasEmptyRows_ = false;
    std::uint64_t count_ = 0;  ///< blocks with events; one more contains the final levels
    LargeArray<Entry> blocks_; ///< by block and group
    SiteWords words_;          ///< may be empty
};

} // namespace highwater::analysis
