#include "core/analysis/timeline/site_grouping.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/timeline/line_tree.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

/// Columns in which all rows of a site permanently have the same key.
constexpr std::array kColumnsOfSites{
    Column::Process,     Column::ProcessName, Column::Pid,           Column::Handle,  Column::Thread,
    Column::ThreadName,  Column::Stack,       Column::StackBottomUp, Column::Source,  Column::SourceLine,
    Column::ManagedType, Column::ManagedKind, Column::GcGeneration,  Column::StackId, Column::StackDepth,
    Column::StackTag,    Column::FrameTags};

ColumnSet columnsAskedBy(const TimelineQuery& query) {
    auto columns = LineTree::columnsOf(query);
    for (const auto& clause : query.filter.clauses) {
        for (const auto& path : clause.anyOf) {
            for (const auto& step : path)
                columns.add(step.column);
        }
    }
    if (query.filter.hasConditions()) columns.add(query.filter.query->columns());
    return columns;
}

template <typename T>
bool isSameObject(const std::weak_ptr<T>& a, const std::weak_ptr<T>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

SiteGrouping groupSites(const RowSelection& selection, const TimelineQuery& query, std::uint32_t sites) {
    SiteGrouping made;
    made.groups.ofSite.resize(sites);
    LineTree tree(selection, query);
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> groups;
    for (const auto& cell : selection.cells()) {
        const auto leaf = *tree.leafOf(cell.key);
        // Whether a leaf can be opened depends on its stacks.
        const auto place = std::uint64_t{leaf} * 2 + (tree.goesOn(leaf, cell.key) ? 1 : 0);
        const auto [entry, isNew] = groups.try_emplace(place, made.groups.count + 1);
        if (isNew) {
            ++made.groups.count;
            made.siteOf.push_back(cell.key.site);
        }
        made.groups.ofSite[cell.key.site] = entry->second;
    }
    return made;
}

} // namespace

bool canGroupSites(const store::PublishedTrace& trace, const TimelineQuery& query) {
    const bool endsChange = query.processExitFreesHeap && query.table == Table::Heap;
    if (!hasLevels(query.table) || query.measure == TimelineMeasure::NewBytes || endsChange) return false;
    const ColumnSet ofSites(kColumnsOfSites);
    return ofSites.containsAll(columnsAskedBy(query)) && LevelIndex::canIndex(trace.table(rowsOf(query.table)));
}

SiteGroupingCache& SiteGroupingCache::shared() {
    static SiteGroupingCache cache;
    return cache;
}

bool SiteGroupingCache::Key::isSameAs(const Key& other) const {
    return isSameObject(trace, other.trace) && isSameObject(processes, other.processes) &&
           isSameObject(threadNames, other.threadNames) && isSameObject(naming, other.naming) &&
           stackRevision == other.stackRevision && sites == other.sites && table == other.table && by == other.by &&
           opening == other.opening && filter == other.filter && allocatorFrames == other.allocatorFrames;
}

SiteGroupingCache::Key SiteGroupingCache::keyOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                const TimelineQuery& query) {
    Key key{trace.columns,        trace.processes,
            trace.threadNames,    {},
            trace.stackRevision,  trace.table(rowsOf(query.table)).sites,
            query.table,          query.by,
            query.opening,        query.filter,
            query.allocatorFrames};
    const auto columns = columnsAskedBy(query);
    const auto isNamed = [&](Column column) { return columns.contains(column) && showsNames(column); };
    if (std::ranges::any_of(kColumnsOfSites, isNamed)) key.naming = labels.labelsOf(trace);
    return key;
}

std::shared_ptr<const SiteGrouping> SiteGroupingCache::findKnown(const Key& key) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.first.trace.expired(); });
    const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.first.isSameAs(key); });
    if (found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().second;
}

std::shared_ptr<const SiteGrouping> SiteGroupingCache::findKnown(const store::PublishedTrace& trace,
                                                                 FrameLabels& labels, const TimelineQuery& query) {
    return findKnown(keyOf(trace, labels, query));
}

Result<std::shared_ptr<const SiteGrouping>> SiteGroupingCache::find(const store::PublishedTrace& trace,
                                                                    FrameLabels& labels, const TimelineQuery& query,
                                                                    const std::stop_token& stop) {
    using Found = std::shared_ptr<const SiteGrouping>;
    auto key = keyOf(trace, labels, query);
    if (auto known = findKnown(key)) return known;
    SelectionQuery asked{.table = query.table,
                         .interval = query.interval,
                         .membership = Membership::Timeline,
                         .columns = LineTree::columnsOf(query),
                         .filter = &query.filter,
                         .allocatorFrames = query.allocatorFrames.get()};
    asked.bySite = true;
    const auto selection = TRY(RowSelection::make(trace, labels, asked, stop));
    if (selection->singleRows()) return Found();
    auto made = std::make_shared<const SiteGrouping>(groupSites(*selection, query, key.sites));
    if (stop.stop_requested()) return cancelled();
    const std::scoped_lock lock(mutex_);
    if (entries_.size() == kMost) entries_.pop_back();
    entries_.emplace(entries_.begin(), std::move(key), made);
    return Found(made);
}

} // namespace highwater::analysis
