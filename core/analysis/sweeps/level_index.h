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

/// Levels of groups of sites, kept per block of events: the level before it and its peak, of each group. Peaks between
/// any instants, also of several groups together, are read from these; events are looked at only in the blocks in which
/// a slice begins or ends, and where several groups together may be higher than the blocks say. Made by one sweep over
/// all events; does not depend on an interval. Immutable; any thread.
class LevelIndex {
  public:
    /// Of one view, while that and its columns live.
    struct Source {
        const store::TableView* view = nullptr;
        RowSweep::Measure measure = RowSweep::Measure::Bytes;
    };

    /// Levels that add up without a wrap, and releases of whole rows: what the index knows. Other tables are swept.
    [[nodiscard]] static bool canIndex(const store::TableView& view);
    /// Block lengths are such that an index has no more than this many levels, of 16 bytes each.
    static constexpr std::uint64_t kMostLevels = std::uint64_t{1} << 21;
    static constexpr std::uint64_t kShortestBlock = 512;
    /// An index keeps 4 bytes a row, so that blocks are swept faster, if these are no more bytes together.
    static constexpr std::uint64_t kMostBytesOfWords = std::uint64_t{128} << 20;
    /// How long the blocks are where there are so many events and groups: a power of 2.
    [[nodiscard]] static std::uint64_t blockEventsFor(std::uint64_t events, std::uint32_t groups);

    /// Null when stopped. blockEvents: a power of 2, at least 64. before: an index of an earlier publication of the
    /// same columns, whose groups are these for the sites that it knew, and as many, and whose blocks are as long: what
    /// it knows is not swept again. Null: none.
    [[nodiscard]] static std::shared_ptr<const LevelIndex> make(const Source& source, const GroupsOfSites& groups,
                                                                std::uint64_t blockEvents, const LevelIndex* before,
                                                                const std::stop_token& stop);

    /// Which lines are made of which groups: by group from 0 on (0 being group 1); kNoLine: of none.
    static constexpr std::uint32_t kNoLine = 0xFFFFFFFFu;
    struct Lines {
        std::size_t count = 0;
        std::vector<std::uint32_t> ofGroup;
    };
    using Peaks = std::vector<std::vector<SignedByteCount>>; ///< by line and slice
    /// Of the slices [edges[i], edges[i + 1]), levels carried in included: exact. The source is that of make().
    /// Nothing when stopped.
    [[nodiscard]] std::optional<Peaks> peaks(const Source& source, std::span<const TraceTime> edges, const Lines& lines,
                                             const std::stop_token& stop) const;
    /// At least as high as these, from what blocks say alone: no event is looked at.
    [[nodiscard]] std::optional<Peaks> bounds(const Source& source, std::span<const TraceTime> edges,
                                              const Lines& lines, const std::stop_token& stop) const;

    [[nodiscard]] const GroupsOfSites& groups() const { return groups_; }
    /// Whether there are rows of no bytes: a level says nothing of them.
    [[nodiscard]] bool hasEmptyRows() const { return hasEmptyRows_; }
    [[nodiscard]] std::uint64_t blockEvents() const { return blockEvents_; }
    [[nodiscard]] std::uint64_t bytes() const {
        return blocks_.size() * sizeof(Entry) + groups_.ofSite.size() * sizeof(std::uint32_t) + words_.bytes();
    }

  private:
    friend class LevelQuery;
    struct Entry {
        SignedByteCount level = 0; ///< before the block
        SignedByteCount peak = 0;  ///< in it, the level before included
    };
    LevelIndex() = default;
    [[nodiscard]] const Entry* entries(std::uint64_t block) const {
        return blocks_.data() + block * std::uint64_t{groups_.count};
    }
    bool fill(const Source& source, std::uint64_t firstBlock, const std::stop_token& stop);

    GroupsOfSites groups_;
    std::uint64_t blockEvents_ = 0;
    std::uint64_t events_ = 0; ///< those before the horizon
    bool hasEmptyRows_ = false;
    std::uint64_t count_ = 0;  ///< blocks with events; one more says what is left in the end
    LargeArray<Entry> blocks_; ///< by block and group
    SiteWords words_;          ///< may be none
};

} // namespace highwater::analysis
