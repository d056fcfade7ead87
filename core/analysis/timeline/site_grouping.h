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

/// Which sites are in one leaf of the tree of a query: the same for every interval.
struct SiteGrouping {
    GroupsOfSites groups;
    std::vector<std::uint32_t> siteOf; ///< one of the sites of each group, from 0 on; all of them stand for each other
};

/// Whether keys and filter of the query say the same of all rows of a site, whatever the interval is, and its levels
/// are those of rows that end by an event.
[[nodiscard]] bool canGroupSites(const store::PublishedTrace& trace, const TimelineQuery& query);

/// The groupings of the last few questions. Any thread.
class SiteGroupingCache {
  public:
    /// The one of the program.
    static SiteGroupingCache& shared();
    /// Known or new, of a query that canGroupSites(). Null: the filter has to look at rows. Errors: Cancelled, Usage.
    [[nodiscard]] Result<std::shared_ptr<const SiteGrouping>> find(const store::PublishedTrace& trace,
                                                                   FrameLabels& labels, const TimelineQuery& query,
                                                                   const std::stop_token& stop);
    /// Null: not known.
    [[nodiscard]] std::shared_ptr<const SiteGrouping> findKnown(const store::PublishedTrace& trace, FrameLabels& labels,
                                                                const TimelineQuery& query);

  private:
    static constexpr std::size_t kMost = 8; ///< of 4 bytes a site
    /// All that a grouping depends on.
    struct Key {
        std::weak_ptr<const store::TraceColumns> trace; ///< does not keep it; no other ever has its place
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
    std::vector<Entry> entries_; ///< the one that was asked for last comes first
};

} // namespace highwater::analysis
