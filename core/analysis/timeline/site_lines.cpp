#include "core/analysis/timeline/site_lines.h"

#include "core/analysis/rows/interval_rows.h"
#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr auto kNotMeasured = std::numeric_limits<SignedByteCount>::min();

} // namespace

SiteLines::SiteLines(const store::PublishedTrace& trace, const TimelineQuery& query,
                     std::shared_ptr<const SiteGrouping> grouping, std::unique_ptr<RowSelection> selection)
    : query_(query),
      trace_(trace),
      view_(trace.table(rowsOf(query.table))),
      levelMeasure_(query.measure == TimelineMeasure::Bytes ? RowSweep::Measure::Bytes : RowSweep::Measure::Rows),
      grouping_(std::move(grouping)),
      selection_(std::move(selection)),
      tree_(*selection_, query) {}

Result<std::unique_ptr<SiteLines>> SiteLines::make(const store::PublishedTrace& trace, FrameLabels& labels,
                                                   const TimelineQuery& query, const std::stop_token& stop) {
    using Made = std::unique_ptr<SiteLines>;
    if (!canGroupSites(trace, query)) return Made();
    auto grouping = TRY(SiteGroupingCache::shared().find(trace, labels, query, stop));
    if (!grouping) return Made();
    return makeOf(trace, labels, query, std::move(grouping), stop);
}

Result<std::unique_ptr<SiteLines>> SiteLines::makeCoarse(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const TimelineQuery& query, const std::stop_token& stop) {
    using Made = std::unique_ptr<SiteLines>;
    if (!canGroupSites(trace, query)) return Made();
    auto grouping = SiteGroupingCache::shared().findKnown(trace, labels, query);
    if (!grouping) return Made();
    const auto measure = query.measure == TimelineMeasure::Bytes ? RowSweep::Measure::Bytes : RowSweep::Measure::Rows;
    auto found = LevelIndexCache::shared().findKnown(trace, rowsOf(query.table), measure, grouping->groups);
    if (!found) return Made();
    auto made = TRY(makeOf(trace, labels, query, std::move(grouping), stop));
    made->isCoarse_ = true;
    made->found_ = *std::move(found);
    return made;
}

Result<std::unique_ptr<SiteLines>> SiteLines::makeOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                     const TimelineQuery& query,
                                                     std::shared_ptr<const SiteGrouping> grouping,
                                                     const std::stop_token& stop) {
    using Made = std::unique_ptr<SiteLines>;
    SelectionQuery asked{.table = query.table,
                         .interval = query.interval,
                         .membership = Membership::Timeline,
                         .columns = LineTree::columnsOf(query),
                         .allocatorFrames = query.allocatorFrames.get()};
    asked.bySite = true;
    asked.sites = &grouping->siteOf;
    auto selection = TRY(RowSelection::make(trace, labels, asked, stop));
    return Made(new SiteLines(trace, query, std::move(grouping), std::move(selection)));
}

std::uint32_t SiteLines::numberOf(NodeId leaf) {
    const auto [entry, isNew] = numbers_.try_emplace(leaf, groupCount());
    if (isNew) leaves_.push_back(leaf);
    return entry->second;
}

bool SiteLines::find(const std::stop_token& stop) {
    if (!isCoarse_) {
        auto& cache = LevelIndexCache::shared();
        auto found = cache.find(trace_, rowsOf(query_.table), levelMeasure_, grouping_->groups, stop);
        if (!found) return false;
        found_ = *std::move(found);
    }
    if (!measureGroups(stop)) return false;
    std::vector<std::uint8_t> isThere(peaks_.size());
    for (std::size_t group = 0; group < peaks_.size(); ++group)
        isThere[group] = peaks_[group] > 0 ? 1 : 0;
    if (!isCoarse_ && !findEmptyRows(isThere, stop)) return false;
    if (!tree_.node(LineTree::kRoot).isOpen) (void)numberOf(LineTree::kRoot); // the total exists even without rows
    leafOfGroup_.assign(peaks_.size(), LevelIndex::kNoLine);
    for (std::size_t group = 0; group < peaks_.size(); ++group) {
        if (isThere[group] == 0) continue;
        leafOfGroup_[group] = numberOf(*tree_.leafOf(selection_->cells()[group].key));
    }
    peakOfLeaf_.assign(leaves_.size(), 0);
    std::vector<std::uint8_t> isMeasured(leaves_.size());
    for (std::size_t group = 0; group < peaks_.size(); ++group) {
        const auto leaf = leafOfGroup_[group];
        if (leaf == LevelIndex::kNoLine) continue;
        peakOfLeaf_[leaf] = std::exchange(isMeasured[leaf], 1) == 0 ? peaks_[group] : kNotMeasured;
    }
    return !stop.stop_requested();
}

bool SiteLines::measureGroups(const std::stop_token& stop) {
    const LevelIndex::Lines lines{grouping_->groups.count, found_.groupOf};
    const std::vector<TraceTime> whole{query_.interval.start, query_.interval.end};
    const auto peaks = readIndex(whole, lines, stop);
    if (!peaks) return false;
    for (const auto& peak : *peaks)
        peaks_.push_back(peak.front());
    return true;
}

bool SiteLines::findEmptyRows(std::vector<std::uint8_t>& isThere, const std::stop_token& stop) const {
    const bool areAllThere = std::ranges::find(isThere, 0) == isThere.end();
    const bool isSaidByLevels = levelMeasure_ == RowSweep::Measure::Rows || !found_.index->hasEmptyRows();
    if (areAllThere || isSaidByLevels) return true;
    const IntervalRows rows(trace_, rowsOf(query_.table), {query_.interval, Membership::Timeline, false});
    const auto& groupOf = grouping_->groups.ofSite;
    std::vector<std::uint8_t> isWanted(groupOf.size());
    for (std::size_t site = 0; site < groupOf.size(); ++site)
        isWanted[site] = groupOf[site] != 0 && isThere[groupOf[site] - 1] == 0 ? 1 : 0;
    const auto& table = view_.columns->rows;
    constexpr auto kSpan = store::AllocationTable::kSpanRows;
    const auto spans = (view_.rows + kSpan - 1) / kSpan;
    return forEachSpan(spans, workersFor(spans), stop, [&](unsigned, std::uint64_t span) {
        if (rows.spanIsOutside(span)) return;
        const auto last = std::min(view_.rows, (span + 1) * kSpan);
        for (auto row = span * kSpan; row < last; ++row) {
            if (table.narrowSizes()[row] != 0 || isWanted[table.sites()[row]] == 0) continue;
            const auto id = static_cast<RowId>(row);
            if (!rows.isMember(view_.begin(id).ns, rows.end(id).ns)) continue;
            std::atomic_ref(isThere[groupOf[table.sites()[row]] - 1]).store(1, std::memory_order_relaxed);
        }
    });
}

std::optional<std::vector<std::vector<SignedByteCount>>> SiteLines::measure(const std::vector<TraceTime>& edges,
                                                                            std::vector<std::uint32_t> lineOfGroup,
                                                                            std::size_t lines,
                                                                            const std::stop_token& stop) {
    // Groups are ranked by the measurements of find().
    if (edges.size() == 2 && edges.front() == query_.interval.start && edges.back() == query_.interval.end) {
        std::vector<std::vector<SignedByteCount>> values(lines, {0});
        std::vector<std::uint32_t> groupsIn(lines);
        bool isKnown = true;
        for (std::size_t leaf = 0; isKnown && leaf < lineOfGroup.size(); ++leaf) {
            isKnown = ++groupsIn[lineOfGroup[leaf]] == 1 && peakOfLeaf_[leaf] != kNotMeasured;
            values[lineOfGroup[leaf]].front() = peakOfLeaf_[leaf];
        }
        if (isKnown) return values;
    }
    LevelIndex::Lines made{lines, {}};
    for (const auto group : found_.groupOf) {
        const auto leaf = group == LevelIndex::kNoLine ? LevelIndex::kNoLine : leafOfGroup_[group];
        made.ofGroup.push_back(leaf == LevelIndex::kNoLine ? LevelIndex::kNoLine : lineOfGroup[leaf]);
    }
    if (isCoarse_) return readIndex(edges, made, stop);
    auto byLines = measureByLines(edges, made, stop);
    if (!byLines) return std::nullopt;
    return *byLines ? std::move(*byLines) : found_.index->peaks(source(), edges, made, stop);
}

std::optional<SiteLines::Peaks> SiteLines::measureByLines(const std::vector<TraceTime>& edges,
                                                          const LevelIndex::Lines& lines, const std::stop_token& stop) {
    const auto count = static_cast<std::uint32_t>(lines.count);
    const auto wanted = LevelIndex::blockEventsFor(view_.events, count);
    const auto events = EventReader::firstFrom(view_, edges.back()) - EventReader::firstFrom(view_, edges.front());
    const bool areTooLong = found_.index->blockEvents() > 4 * wanted && edges.size() * wanted < events;
    if (!areTooLong) return Peaks();
    GroupsOfSites groups{count, {}};
    for (const auto group : found_.index->groups().ofSite) {
        const auto line = group == 0 ? LevelIndex::kNoLine : lines.ofGroup[group - 1];
        groups.ofSite.push_back(line == LevelIndex::kNoLine ? 0 : line + 1);
    }
    auto& cache = LevelIndexCache::shared();
    const auto kind = rowsOf(query_.table);
    auto found = cache.findKnown(trace_, kind, levelMeasure_, groups);
    if (!found && events < view_.events / 2) return Peaks();
    if (!found) found = cache.find(trace_, kind, levelMeasure_, groups, stop);
    if (!found) return std::nullopt;
    auto peaks = found->index->peaks(source(), edges, {lines.count, found->groupOf}, stop);
    if (!peaks) return std::nullopt;
    return peaks;
}

} // namespace highwater::analysis
