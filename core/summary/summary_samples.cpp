#include "core/summary/summary_samples.h"

#include "core/analysis/rows/parallel_spans.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/sweeps/growth.h"
#include "core/analysis/sweeps/peak_pass.h"
#include "core/analysis/sweeps/slice_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace highwater::summary {

using analysis::RowPopulation, analysis::RowType;

namespace {

constexpr auto kNoRow = std::numeric_limits<RowId>::max();
/// Number of groups whose levels are measured at once, with 66 numbers each.
constexpr std::uint32_t kGroupsAtOnce = 1u << 17;

std::int64_t signedOf(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// Every edge twice, because between the two there is only the level at the edge.
std::vector<TraceTime> edgesOfSlope(TimeRange interval) {
    std::vector<TraceTime> edges;
    for (const auto edge : analysis::sliceEdges(interval, analysis::kTrendParts))
        edges.insert(edges.end(), 2, edge);
    return edges;
}

/// Memory that was allocated at once, such as a cache that is filled, is not a slope, wherever it occurs. The steepest
/// tenth of the time counts as level if more than half of the memory that is never freed again was allocated there.
void removeJump(std::vector<double>& floors) {
    constexpr std::size_t kParts = 3;
    const auto last = floors.size() - 1;
    std::size_t steepest = 0;
    for (std::size_t i = 0; i + kParts <= last; ++i)
        if (floors[i + kParts] - floors[i] > floors[steepest + kParts] - floors[steepest]) steepest = i;
    const auto jump = floors[steepest + kParts] - floors[steepest];
    if (!(2 * jump > floors[last] - floors[0])) return;
    for (auto i = steepest + 1; i <= last; ++i)
        floors[i] = i < steepest + kParts ? floors[steepest] : floors[i] - jump;
}

/// The slope of the levels at the edges. `slices` has levels and the peaks between them, alternately.
std::int64_t bytesPerHour(const std::vector<std::int64_t>& slices, TimeRange interval) {
    // Far times: their difference may not fit into a signed number.
    const auto seconds = (static_cast<double>(interval.end.ns) - static_cast<double>(interval.start.ns)) / 1e9;
    if (!(seconds > 0)) return 0;
    std::vector<double> levels;
    for (std::size_t i = 0; i < slices.size(); i += 2)
        levels.push_back(static_cast<double>(slices[i]));
    constexpr double kMost = 9e18;
    auto floors = analysis::floorsOf(levels);
    removeJump(floors);
    const auto perSecond = analysis::slopeOf(floors, seconds / analysis::kTrendParts);
    return std::llround(std::clamp(perSecond * 3600, -kMost, kMost));
}

} // namespace

/// Sums of the groups in one window, by group.
struct TableSamples::WindowSums {
    Rows population;
    std::vector<std::uint32_t> groupOfCell;
    std::vector<Sample> samples;
    std::vector<std::uint64_t> opening;
    std::vector<std::uint64_t> rows; ///< number of rows that take part
    std::vector<RowId> first, last;  ///< rows that began inside
};

TableSamples::TableSamples(const store::PublishedTrace& trace, analysis::Table table, SummaryStacks& stacks,
                           std::map<std::string, std::uint32_t>& processes)
    : trace_(trace),
      view_(trace.table(analysis::rowsOf(table))),
      table_(table),
      stacks_(stacks),
      processes_(processes),
      ofSite_(view_.sites, SummaryStacks::kNone) {}

std::uint32_t TableSamples::groupOf(std::uint32_t number) {
    auto& known = ofSite_[number];
    if (known != SummaryStacks::kNone) return known;
    const auto& site = view_.columns->sites[SiteId{number}];
    const auto process = trace_.heapOf(site).process;
    if (process.value >= nameOfProcess_.size()) nameOfProcess_.resize(process.value + 1, SummaryStacks::kNone);
    auto& name = nameOfProcess_[process.value];
    if (name == SummaryStacks::kNone) {
        const auto& instance = (*trace_.processes)[process];
        const auto text = instance.name.empty() ? std::string("Unknown") : instance.name;
        name = processes_.try_emplace(text, static_cast<std::uint32_t>(processes_.size())).first->second;
    }
    const auto stack = stacks_.indexOf(site.stack);
    known = numbers_.try_emplace((std::uint64_t{name} << 32) | stack, static_cast<std::uint32_t>(groups_.size()))
                .first->second;
    if (known == groups_.size()) groups_.push_back({name, stack});
    return known;
}

bool TableSamples::measureLevels(WindowSums& sums, const std::stop_token& stop) const {
    if (!analysis::hasLevels(table_) || trace_.lacks.times) return true; // there is no development over time
    const auto bounds = sums.population->rows().bounds();
    const TimeRange interval{TraceTime{bounds.t0}, TraceTime{bounds.t1}};
    const auto edges = edgesOfSlope(interval);
    const auto count = static_cast<std::uint32_t>(sums.samples.size());
    for (std::uint32_t begin = 0; begin < count; begin += kGroupsAtOnce) {
        analysis::GroupsOfRows groups;
        groups.count = std::min(count - begin, kGroupsAtOnce);
        for (const auto group : sums.groupOfCell)
            groups.ofCells.push_back(group >= begin && group - begin < groups.count ? group - begin + 1 : 0);
        const std::vector<std::uint64_t> opening(sums.opening.begin() + begin,
                                                 sums.opening.begin() + begin + groups.count);
        const auto slices = analysis::PeakPass(*sums.population, groups, analysis::RowSweep::Measure::Bytes)
                                .run(opening, edges, {}, stop);
        if (!slices) return false;
        constexpr std::uint32_t kPerTask = 256;
        const auto tasks = (groups.count + kPerTask - 1) / kPerTask;
        const bool finished = analysis::forEachSpan(tasks, analysis::workersFor(tasks), stop, [&](unsigned, auto task) {
            const auto last = std::min<std::uint64_t>(groups.count, (task + 1) * kPerTask);
            for (auto i = task * kPerTask; i < last; ++i) {
                const auto& ofGroup = (*slices)[i];
                auto& sample = sums.samples[begin + i];
                sample.peak = *std::max_element(ofGroup.begin(), ofGroup.end());
                sample.slope = bytesPerHour(ofGroup, interval);
            }
        });
        if (!finished) return false;
    }
    return true;
}

/// Rows are ordered by their start, except those that are older than the trace.
void TableSamples::findBegins(const Window& window, WindowSums& sums) {
    const auto& rows = view_.columns->rows;
    const auto& begins = rows.begins();
    const auto isBefore = [&](std::uint64_t row, std::int64_t time) {
        while (row < view_.rows && begins.isBeforeTrace(row))
            ++row;
        return row < view_.rows && begins[row].ns < time;
    };
    const auto firstFrom = [&](std::int64_t time) {
        std::uint64_t low = 0, high = view_.rows;
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            if (isBefore(middle, time))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    const auto end = firstFrom(std::min(window.end, view_.horizon.ns));
    for (auto row = firstFrom(window.start); row < end; ++row) {
        const auto group = ofSite_[rows.site(static_cast<RowId>(row)).value];
        // Rows without a group do not take part. Rows older than the trace have no start time.
        if (group == SummaryStacks::kNone || begins.isBeforeTrace(row)) continue;
        if (sums.first[group] == kNoRow) sums.first[group] = static_cast<RowId>(row);
        sums.last[group] = static_cast<RowId>(row);
    }
}

TableSamples::Rows TableSamples::rowsOf(const store::PublishedTrace& trace, analysis::Table table, const Window& window,
                                        const std::stop_token& stop) {
    analysis::PopulationOptions options;
    options.rows.interval = {TraceTime{window.start}, TraceTime{window.end}};
    return RowPopulation::make(trace, analysis::rowsOf(table), options, stop);
}

bool TableSamples::add(const Window& window, std::uint32_t number, Rows members, std::vector<Sample>& samples,
                       const std::stop_token& stop) {
    if (!members) return false;
    WindowSums sums;
    sums.population = std::move(members);
    const auto& cells = sums.population->cells();
    for (const auto& cell : cells)
        sums.groupOfCell.push_back(groupOf(cell.key.site));
    const auto count = groups_.size();
    sums.samples.resize(count);
    sums.opening.resize(count);
    sums.rows.resize(count);
    sums.first.resize(count, kNoRow);
    sums.last.resize(count, kNoRow);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto group = sums.groupOfCell[i];
        const auto& of = cells[i].sums;
        auto& sample = sums.samples[group];
        const auto type = cells[i].key.type;
        const auto add = [](std::int64_t& to, std::uint64_t what) {
            to = signedOf(static_cast<std::uint64_t>(to) + what);
        };
        add(sample.allocSpace, of.allocated);
        add(sample.freed, of.freed);
        add(sample.impacting, of.impacting);
        add(sample.inuseSpace, of.opening + of.impacting);
        if (type == RowType::AIFI || type == RowType::AIFO) add(sample.allocObjects, of.count);
        if (type == RowType::AIFO || type == RowType::AOFO) add(sample.inuseObjects, of.count);
        sums.opening[group] += of.opening;
        sums.rows[group] += of.rows;
    }
    findBegins(window, sums);
    if (!measureLevels(sums, stop)) return false;
    const auto& rows = view_.columns->rows;
    for (std::size_t i = 0; i < count; ++i) {
        if (sums.rows[i] == 0) continue;
        auto& sample = sums.samples[i];
        sample.window = number;
        sample.process = groups_[i].process;
        sample.stack = groups_[i].stack;
        sample.table = table_;
        const bool anyBegan = sums.first[i] != kNoRow;
        sample.first = anyBegan ? rows.beginTime(sums.first[i]).ns : window.start;
        sample.last = anyBegan ? rows.beginTime(sums.last[i]).ns : window.start;
        samples.push_back(sample);
    }
    return true;
}

} // namespace highwater::summary
