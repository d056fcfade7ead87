#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/sweeps/level_index.h"
#include "core/analysis/timeline/timeline_query.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// The sites in each leaf of a query's tree: the same for every interval.
struct SiteGrouping {
    GroupsOfSites groups;
    std::vector<std::uint32_t> siteOf; ///< one site of each group, from 0; all sites of a group are equivalent
};

/// Whether keys and filter of the query have the same result for all rows of a site in any interval, and levels change
/// only by events.
[[nodiscard]] bool canGroupSites(const store::PublishedTrace& trace, const TimelineQuery& query);

/// The groupings of the most recent questions. Any thread.
class SiteGroupingCache {
  public:
    /// The instance of the program.
    static SiteGroupingCache& shared();
    /// From the cache or new, for a query that canGroupSites(). Null: the filter must read rows. Errors: Cancelled,
    /// Usage.
    [[nodiscard]] Result<std::shared_ptr<const SiteGrouping>> find(const store::PublishedTrace& trace,
                                                                   FrameLabels& labels, const TimelineQuery& query,
                                                                   const std::stop_token& stop);
    /// Null: not in the cache.
    [[nodiscard]] std::shared_ptr<const SiteGrouping> findKnown(const store::PublishedTrace& trace, FrameLabels& labels,
                                                                const TimelineQuery& query);

  private:
    static constexpr std::size_t kMost = 8; ///< 4 bytes per site each
    /// Everything that a grouping depends on.
    struct Key {
        std::weak_ptr<const store::TraceColumns> trace; ///< not an owner; its identity is never reused
        std::weak_ptr<const store::ProcessTable> processes;
        std::weak_ptr<const store::ThreadNames> threadNames;
        std::weak_ptr<const NodeLabels> naming;
        std::uint32_t stackRevision = 0;
        std::uint32_t sites = 0;
        Table table = Table::Heap;
        std::optional<Column> by;
        GroupOpening opening;
        RowFilter filter;
        std::shared_ptr<const AllocatorFrames> allocatorFrames;
        [[nodiscard]] bool isSameAs(const Key& other) const;
    };
    using Entry = std::pair<Key, std::shared_ptr<const SiteGrouping>>;

    static Key keyOf(const store::PublishedTrace& trace, FrameLabels& labels, const TimelineQuery& query);
    [[nodiscard]] std::shared_ptr<const SiteGrouping> findKnown(const Key& key);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< most recently used first
};

} // namespace highwater::analysis
