#include "core/analysis/timeline/timeline_groups.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/snapshot_population.h"
#include "core/analysis/sweeps/peak_pass.h"
#include "core/analysis/sweeps/row_sweep.h"
#include "core/analysis/sweeps/slice_levels.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <utility>

namespace highwater::analysis {
namespace {

/// The groups of the rows: by cell, or, for columns and filters of single rows, row by row.
class TimelineGroups {
  public:
    TimelineGroups(const RowSelection& selection, const TimelineQuery& query)
        : selection_(selection), by_(query.by), measure_(query.measure) {}

    bool find(const std::stop_token& stop);
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(keys_.size()); }
    [[nodiscard]] std::uint64_t key(std::uint32_t group) const { return keys_[group]; }
    /// From now on counts each group as merged[group].
    void merge(const std::vector<std::uint32_t>& merged) { merged_ = merged; }
    /// Fills values per group and slice. False when stopped.
    bool measure(const std::vector<TraceTime>& edges, std::size_t groups, SliceLevels& slices,
                 const std::stop_token& stop);

  private:
    std::uint32_t groupOf(std::uint64_t key);
    [[nodiscard]] std::uint32_t target(std::uint32_t group) const { return merged_.empty() ? group : merged_[group]; }
    /// What a sweep of one pass over words can do.
    bool measureFast(const RowPopulation& population, const std::vector<TraceTime>& edges, std::size_t groupCount,
                     SliceLevels& slices, const std::stop_token& stop);
    [[nodiscard]] RowSweep::Measure sweepMeasure() const {
        return measure_ == TimelineMeasure::Bytes ? RowSweep::Measure::Bytes : RowSweep::Measure::Rows;
    }
    bool measureReleases(SliceLevels& slices, const std::stop_token& stop) const;
    void measureInstances(const std::vector<TraceTime>& edges, SliceLevels& slices) const;
    /// What rows with these sums, of this type, are when the interval begins.
    [[nodiscard]] std::uint64_t opening(RowType type, const Sums& sums) const;

    const RowSelection& selection_;
    std::optional<Column> by_;
    TimelineMeasure measure_;
    std::vector<std::uint64_t> keys_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> groups_;
    std::vector<std::uint32_t> groupOfCell_;
    std::vector<RowRef> rows_; ///< if the groups are told apart row by row
    std::vector<std::uint32_t> groupOfRow_;
    bool bySingleRows_ = false;
    std::vector<std::uint32_t> merged_;
    GroupsOfRows ofRows_; ///< for the pass
    std::unique_ptr<PeakPass> pass_;
};

std::uint32_t TimelineGroups::groupOf(std::uint64_t key) {
    const auto [entry, isNew] = groups_.try_emplace(key, count());
    if (isNew) keys_.push_back(key);
    return entry->second;
}

bool TimelineGroups::find(const std::stop_token& stop) {
    const auto& reader = selection_.reader();
    const auto keyOfCell = [&](const CellKey& cell) {
        if (!by_) return std::uint64_t{0};
        return isStack(*by_) ? std::uint64_t{reader.stack(*by_, cell).front()} : reader.key(*by_, cell);
    };
    const bool keyNeedsRow = by_ && isOfSingleRows(*by_);
    bySingleRows_ = keyNeedsRow || selection_.singleRows();
    if (!by_) (void)groupOf(0); // the total is there even without rows
    if (!bySingleRows_) {
        for (const auto& cell : selection_.cells()) {
            groupOfCell_.push_back(groupOf(keyOfCell(cell.key)));
        }
        return true;
    }
    if (selection_.singleRows()) {
        rows_ = *selection_.singleRows();
    } else {
        auto rows = selection_.rowsOf(std::vector<std::uint8_t>(selection_.cells().size(), 1), stop);
        if (!rows) return false;
        rows_ = std::move(*rows);
    }
    for (const auto row : rows_) {
        const auto facts = selection_.population().facts(row);
        groupOfRow_.push_back(groupOf(keyNeedsRow ? reader.key(*by_, facts) : keyOfCell(facts.key)));
    }
    return !stop.stop_requested();
}

std::uint64_t TimelineGroups::opening(RowType type, const Sums& sums) const {
    if (measure_ == TimelineMeasure::Bytes) return sums.opening;
    return type == RowType::AOFI || type == RowType::AOFO ? sums.count : 0;
}

bool TimelineGroups::measure(const std::vector<TraceTime>& edges, std::size_t groupCount, SliceLevels& slices,
                             const std::stop_token& stop) {
    const auto* population = dynamic_cast<const RowPopulation*>(&selection_.population());
    if (dynamic_cast<const SnapshotPopulation*>(&selection_.population()) != nullptr) {
        measureInstances(edges, slices);
        return !stop.stop_requested();
    }
    if (population == nullptr) return measureReleases(slices, stop);
    if (population->rows().exits().empty()) return measureFast(*population, edges, groupCount, slices, stop);
    RowGroups groups(selection_.cells().size());
    for (std::uint32_t cell = 0; cell < groupOfCell_.size(); ++cell) {
        const auto group = target(groupOfCell_[cell]);
        groups.addCell(cell, group);
        const auto& [key, sums] = selection_.cells()[cell];
        slices.open(group, opening(key.type, sums));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto group = target(groupOfRow_[i]);
        groups.addRow(static_cast<RowId>(rows_[i]), group);
        const auto facts = population->facts(rows_[i]);
        slices.open(group, opening(facts.key.type, facts.sums));
    }
    return RowSweep(*population, groups, sweepMeasure()).run(edges, groupCount, slices, stop);
}

bool TimelineGroups::measureFast(const RowPopulation& population, const std::vector<TraceTime>& edges,
                                 std::size_t groupCount, SliceLevels& slices, const std::stop_token& stop) {
    const bool isFirst = !pass_;
    if (isFirst) {
        ofRows_.count = count();
        ofRows_.ofCells.resize(selection_.cells().size());
        pass_ = std::make_unique<PeakPass>(population, ofRows_, sweepMeasure());
    }
    std::vector<std::uint64_t> openings(groupCount);
    for (std::size_t cell = 0; cell < groupOfCell_.size(); ++cell) {
        ofRows_.ofCells[cell] = groupOfCell_[cell] + 1;
        const auto& [key, sums] = selection_.cells()[cell];
        openings[target(groupOfCell_[cell])] += opening(key.type, sums);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (isFirst) ofRows_.ofRows.push_back({static_cast<RowId>(rows_[i]), groupOfRow_[i] + 1});
        const auto facts = population.facts(rows_[i]);
        openings[target(groupOfRow_[i])] += opening(facts.key.type, facts.sums);
    }
    auto peaks = pass_->run(openings, edges, merged_, stop);
    if (!peaks) return false;
    for (std::uint32_t group = 0; group < groupCount; ++group) {
        slices.values(group) = std::move((*peaks)[group]);
    }
    return true;
}

bool TimelineGroups::measureReleases(SliceLevels& slices, const std::stop_token& stop) const {
    const auto& population = selection_.population();
    const auto add = [&](RowRef row, std::uint32_t group) {
        const auto facts = population.facts(row);
        const auto amount = measure_ == TimelineMeasure::Bytes ? facts.sums.freed : facts.sums.count;
        slices.add(facts.end, target(group), amount);
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        add(rows_[i], groupOfRow_[i]);
    }
    if (bySingleRows_) return true;
    return population.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            add(member.row, groupOfCell_[member.cell]);
        }
    });
}

/// Instances do not add up: a slice has the largest of those in it.
void TimelineGroups::measureInstances(const std::vector<TraceTime>& edges, SliceLevels& slices) const {
    const auto amountOf = [&](const Sums& sums) { return measure_ == TimelineMeasure::Bytes ? sums.size : sums.count; };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> amounts; ///< by instance and group
    for (std::size_t cell = 0; cell < groupOfCell_.size(); ++cell) {
        const auto& [key, sums] = selection_.cells()[cell];
        amounts[{key.instance, target(groupOfCell_[cell])}] += amountOf(sums);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto facts = selection_.population().facts(rows_[i]);
        amounts[{facts.key.instance, target(groupOfRow_[i])}] += amountOf(facts.sums);
    }
    for (const auto& [of, amount] : amounts) {
        CellKey cell;
        cell.instance = of.first;
        const TraceTime time{static_cast<std::int64_t>(selection_.reader().key(Column::SnapTime, cell))};
        const auto after = std::ranges::upper_bound(edges, time) - edges.begin();
        // One at the end of the interval is in the last slice.
        const auto slice = std::clamp<std::ptrdiff_t>(after, 1, static_cast<std::ptrdiff_t>(edges.size()) - 1) - 1;
        auto& value = slices.values(of.second)[static_cast<std::size_t>(slice)];
        value = std::max(value, static_cast<SignedByteCount>(amount));
    }
}

/// Groups from the largest peak to the smallest, those of one peak by key.
std::vector<std::uint32_t> largestFirst(const TimelineGroups& groups, const SliceLevels& slices,
                                        const KeyReader& reader, Column by) {
    std::vector<SignedByteCount> peaks;
    std::vector<std::string> texts;
    for (std::uint32_t group = 0; group < groups.count(); ++group) {
        peaks.push_back(*std::max_element(slices.values(group).begin(), slices.values(group).end()));
        const bool byText = specOf(by).order == ValueOrder::Text;
        texts.push_back(byText ? reader.text(by, groups.key(group)) : std::string());
    }
    std::vector<std::uint32_t> order(groups.count());
    std::iota(order.begin(), order.end(), 0u);
    const bool isSigned = specOf(by).order == ValueOrder::Signed;
    const auto number = [&](std::uint32_t group) {
        return groups.key(group) ^ (isSigned ? std::uint64_t{1} << 63 : 0);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
        if (peaks[a] != peaks[b]) return peaks[a] > peaks[b];
        if (const auto text = texts[a].compare(texts[b]); text != 0) return text < 0;
        return number(a) < number(b);
    });
    return order;
}

/// The largest groups as series. Which they are is found with few slices; what is left over then needs a sweep of
/// its own, because peaks of single groups do not add up. Nothing when stopped.
std::optional<std::vector<TimelineSeries>> largestSeries(TimelineGroups& groups, const KeyReader& reader,
                                                         const TimelineQuery& query,
                                                         const std::vector<TraceTime>& edges,
                                                         const std::stop_token& stop) {
    // Releases are ranked by their sum. For peaks one slice would do as well; several let RowSweep share the work.
    const auto coarse =
        sliceEdges({edges.front(), edges.back()}, query.table == Table::Heap && query.processExitFreesHeap ? 32 : 1);
    SliceLevels ranking(coarse, groups.count());
    if (!groups.measure(coarse, groups.count(), ranking, stop)) return std::nullopt;
    const auto order = largestFirst(groups, ranking, reader, *query.by);
    const auto shown = query.maxSeries;
    std::vector<std::uint32_t> merged(groups.count(), shown);
    for (std::uint32_t i = 0; i < shown; ++i) {
        merged[order[i]] = i;
    }
    groups.merge(merged);
    SliceLevels slices(edges, shown + std::size_t{1});
    if (!groups.measure(edges, shown + std::size_t{1}, slices, stop)) return std::nullopt;
    std::vector<TimelineSeries> series;
    for (std::uint32_t i = 0; i < shown; ++i) {
        const auto key = groups.key(order[i]);
        series.push_back(TimelineSeries{reader.text(*query.by, key), key, true, std::move(slices.values(i))});
    }
    const auto name = fmt::format("({} more)", groups.count() - shown);
    series.push_back(TimelineSeries{name, 0, false, std::move(slices.values(shown))});
    return series;
}

/// Every group as a series, or the one total. Nothing when stopped.
std::optional<std::vector<TimelineSeries>> allSeries(TimelineGroups& groups, const KeyReader& reader,
                                                     const TimelineQuery& query, const std::vector<TraceTime>& edges,
                                                     const std::stop_token& stop) {
    SliceLevels slices(edges, groups.count());
    if (!groups.measure(edges, groups.count(), slices, stop)) return std::nullopt;
    std::vector<TimelineSeries> series;
    if (!query.by) {
        series.push_back(TimelineSeries{"Total", 0, false, std::move(slices.values(0))});
        return series;
    }
    for (const auto group : largestFirst(groups, slices, reader, *query.by)) {
        const auto key = groups.key(group);
        series.push_back(TimelineSeries{reader.text(*query.by, key), key, true, std::move(slices.values(group))});
    }
    return series;
}

} // namespace

Result<std::vector<TimelineSeries>> seriesOfGroups(const store::PublishedTrace& trace, FrameLabels& labels,
                                                   const TimelineQuery& query, const std::vector<TraceTime>& edges,
                                                   const std::stop_token& stop) {
    ColumnSet columns;
    if (query.by) columns.add(*query.by);
    const SelectionQuery selectionQuery{query.table,
                                        query.interval,
                                        Membership::Timeline,
                                        columns,
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get(),
                                        query.marks,
                                        query.annotations.get(),
                                        query.instances};
    const auto selection = RowSelection::make(trace, labels, selectionQuery, stop);
    if (!selection.hasValue()) return selection.error();
    const auto& reader = selection.value()->reader();
    TimelineGroups groups(*selection.value(), query);
    if (!groups.find(stop)) return cancelled();
    const bool isCut = query.by && query.maxSeries > 0 && groups.count() > query.maxSeries;
    const auto lines = isCut ? std::uint64_t{query.maxSeries} + 1 : std::uint64_t{groups.count()};
    if (lines * query.points > kMaxTimelinePoints) {
        return Error{ErrorKind::Usage,
                     fmt::format("{} series of {} points are too many for a timeline; {} points in all "
                                 "are allowed. Ask for fewer points or another column.",
                                 lines, query.points, kMaxTimelinePoints)};
    }
    auto series =
        isCut ? largestSeries(groups, reader, query, edges, stop) : allSeries(groups, reader, query, edges, stop);
    if (!series) return cancelled();
    return *std::move(series);
}

} // namespace highwater::analysis
