// The costs of the window's queries, one by one, over 20 million allocations (HIGHWATER_ROWS) of 100,000 stacks in 20
// processes: the same trace as in window_benchmark. CPU is the sum of all threads. Plain reads the columns that any
// query must read, and adds up sizes by site.
#include "core/analysis/addresses/address_map.h"
#include "core/analysis/heaps/heap_list.h"
#include "core/analysis/leaks/leak_suspects.h"
#include "core/analysis/sweeps/level_index_cache.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/benchmarks/synthetic_trace.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace highwater::benchmarks {
namespace {

using namespace analysis;

const std::shared_ptr<const store::PublishedTrace>& trace() {
    static const auto made = [] {
        const char* rows = std::getenv("HIGHWATER_ROWS");
        return makeSyntheticTrace({.rows = rows == nullptr ? 20'000'000 : std::strtoull(rows, nullptr, 10)});
    }();
    return made;
}

/// New ones for every publication, as in the window.
const std::shared_ptr<FrameLabels>& labels() {
    static const auto made = std::make_shared<FrameLabels>();
    return made;
}

/// Never the same twice: cached results of one interval do not help.
TimeRange nextInterval() {
    static std::int64_t turn = 0;
    return {TraceTime{++turn}, TraceTime{trace()->horizon.ns - turn}};
}

RowFilter processFilter() {
    const auto process = trace()->heapOf(trace()->heap.columns->sites[SiteId{3}]).process.value;
    RowFilter filter;
    filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {{KeyStep{Column::Process, process}}}});
    return filter;
}

enum class Interval : std::uint8_t { Fresh, Same };

void askTable(benchmark::State& state, const Query& asked, Interval interval = Interval::Fresh) {
    auto query = asked;
    query.table = Table::Heap;
    query.interval = trace()->wholeRange();
    for (auto _ : state) {
        if (interval == Interval::Fresh) query.interval = nextInterval();
        auto table = GroupedTable::compute(trace(), labels(), query).value();
        const auto children = table->children(GroupedTable::kRoot);
        (void)table->computeValues(children);
        for (const auto child : children) {
            for (const auto column : query.columns) {
                benchmark::DoNotOptimize(table->value(child, column));
            }
        }
    }
}

/// Fresh: the grouping is not cached.
enum class Grouping : std::uint8_t { Fresh, Same };

void askTimeline(benchmark::State& state, TimelineQuery query, Grouping grouping = Grouping::Same) {
    query.table = Table::Heap;
    query.points = 1000;
    query.maxSeries = 8;
    for (auto _ : state) {
        if (grouping == Grouping::Fresh) LevelIndexCache::shared().clear();
        query.interval = nextInterval();
        benchmark::DoNotOptimize(computeTimeline(*trace(), *labels(), query).value().series.size());
    }
}

const std::vector<Column> kDefaultKeys{Column::Process, Column::Handle, Column::ImpactingType, Column::Stack};
const std::vector<ValueColumn> kSums{Column::Count, Column::ImpactingSize, Column::Size};
const std::vector<ValueColumn> kTimes{Column::BeginTime, Column::EndTime, Column::Count, Column::Size};

void Plain(benchmark::State& state) {
    const auto& rows = trace()->heap.columns->rows;
    std::vector<std::int64_t> allBegins(trace()->heap.rows); // as the author of such code would have them
    rows.begins().read(0, allBegins);
    std::vector<std::int64_t> allEnds(trace()->heap.rows);
    rows.ends().read(0, allEnds);
    for (auto _ : state) {
        std::vector<std::uint64_t> sums(trace()->heap.sites);
        for (std::uint64_t row = 0; row < trace()->heap.rows;) {
            const auto sizes = rows.narrowSizes().contiguous(row, trace()->heap.rows);
            const auto* begins = allBegins.data() + row;
            const auto* ends = allEnds.data() + row;
            const auto* sites = rows.sites().contiguous(row, trace()->heap.rows).data();
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                sums[sites[i]] += (begins[i] > 0) & (ends[i] > 0) ? sizes[i] : 0;
            }
            row += sizes.size();
        }
        benchmark::DoNotOptimize(sums.data());
    }
}
Query queryOf(std::vector<Column> keys, std::vector<ValueColumn> columns, RowFilter filter = {}) {
    Query query;
    query.keys = std::move(keys);
    query.columns = std::move(columns);
    query.filter = std::move(filter);
    return query;
}

TimelineQuery timelineOf(std::optional<Column> by, RowFilter filter = {}) {
    TimelineQuery query;
    query.by = by;
    query.filter = std::move(filter);
    return query;
}

/// Limit: 4 times BottomUp, which groups the same stacks from sums alone.
void Leaks(benchmark::State& state) {
    LeakQuery query;
    query.table = Table::Heap;
    query.interval = nextInterval(); // creates the trace
    for (auto _ : state) {
        query.interval = nextInterval();
        benchmark::DoNotOptimize(findLeaks(*trace(), *labels(), query).value().suspects.size());
    }
}

void Sums(benchmark::State& state) { askTable(state, queryOf(kDefaultKeys, kSums)); }
void SumsAgain(benchmark::State& state) { askTable(state, queryOf(kDefaultKeys, kSums), Interval::Same); }
void BottomUp(benchmark::State& state) { askTable(state, queryOf({Column::StackBottomUp}, kSums)); }
void BottomUpAgain(benchmark::State& state) {
    askTable(state, queryOf({Column::StackBottomUp}, kSums), Interval::Same);
}
void Times(benchmark::State& state) { askTable(state, queryOf(kDefaultKeys, kTimes)); }
void TimesAgain(benchmark::State& state) { askTable(state, queryOf(kDefaultKeys, kTimes), Interval::Same); }
void MaxLifeTime(benchmark::State& state) {
    askTable(state, queryOf(kDefaultKeys, {{Column::LifeTime, Aggregation::Max}}));
}
void Filtered(benchmark::State& state) { askTable(state, queryOf(kDefaultKeys, kSums, processFilter())); }
void Peak(benchmark::State& state) {
    askTable(state, queryOf({Column::Process, Column::Stack}, {{Column::Size, Aggregation::Peak}}));
}
void UniqueThreads(benchmark::State& state) {
    askTable(state, queryOf({Column::Process, Column::Stack}, {{Column::Thread, Aggregation::UniqueCount}}));
}
/// The whole tree, as exports open it: single rows below every stack should cost at most twice the rows alone.
void openAll(benchmark::State& state, std::vector<Column> keys) {
    auto query = queryOf(std::move(keys), kSums);
    query.table = Table::Heap;
    for (auto _ : state) {
        query.interval = nextInterval();
        auto table = GroupedTable::compute(trace(), labels(), query).value();
        std::vector<GroupedTable::NodeId> waiting{GroupedTable::kRoot};
        while (!waiting.empty()) {
            const auto node = waiting.back();
            waiting.pop_back();
            const auto& children = table->children(node);
            waiting.insert(waiting.end(), children.begin(), children.end());
        }
    }
}
void OpenStacks(benchmark::State& state) { openAll(state, {Column::Stack}); }
void OpenAddresses(benchmark::State& state) { openAll(state, {Column::Address}); }
void OpenAddressesOfStacks(benchmark::State& state) { openAll(state, {Column::Stack, Column::Address}); }

void TimelineByProcess(benchmark::State& state) { askTimeline(state, timelineOf(Column::Process)); }
void TimelineByProcessFirst(benchmark::State& state) {
    askTimeline(state, timelineOf(Column::Process), Grouping::Fresh);
}
void TimelineByStackBottomUpFirst(benchmark::State& state) {
    askTimeline(state, timelineOf(Column::StackBottomUp), Grouping::Fresh);
}
void TimelineByHandle(benchmark::State& state) { askTimeline(state, timelineOf(Column::Handle)); }
void TimelineByType(benchmark::State& state) { askTimeline(state, timelineOf(Column::Type)); }
void TimelineByStackBottomUp(benchmark::State& state) { askTimeline(state, timelineOf(Column::StackBottomUp)); }
void TimelineOfProcess(benchmark::State& state) { askTimeline(state, timelineOf(std::nullopt, processFilter())); }
void TimelineOfProcessByThread(benchmark::State& state) {
    askTimeline(state, timelineOf(Column::Thread, processFilter()));
}
void TimelineByProcessInRows(benchmark::State& state) {
    auto query = timelineOf(Column::Process);
    query.measure = TimelineMeasure::Count;
    askTimeline(state, query);
}

void Heaps(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(findHeaps(*trace(), *labels(), {.interval = nextInterval()}).value().heaps.size());
}
/// One of 20 processes, the number of its rows divided by the argument: the layout and the picture.
void AddressPicture(benchmark::State& state) {
    const auto process = trace()->heapOf(trace()->heap.columns->sites[SiteId{3}]).process;
    const auto sample = static_cast<std::uint32_t>(state.range(0));
    for (auto _ : state) {
        const auto layout = layOutAddresses(*trace(), process, sample, {}).value();
        const auto interval = nextInterval();
        const AddressMapQuery query{.process = process,
                                    .interval = interval,
                                    .lastPosition = layout.size(),
                                    .columns = 1250,
                                    .lines = 300,
                                    .instant = interval.end,
                                    .sample = sample};
        benchmark::DoNotOptimize(drawAddresses(*trace(), layout, query).value().rowCount);
    }
}

/// Before measuring starts: otherwise the first query seems to take 8 s more.
void makeTrace(const benchmark::State& /*state*/) { (void)trace(); }

#define HIGHWATER_QUESTION(name)                                                                                       \
    BENCHMARK(name)->Setup(makeTrace)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()
HIGHWATER_QUESTION(Plain);
HIGHWATER_QUESTION(Leaks);
HIGHWATER_QUESTION(Heaps);
HIGHWATER_QUESTION(AddressPicture)->Arg(1)->Arg(11);
HIGHWATER_QUESTION(Sums);
HIGHWATER_QUESTION(SumsAgain);
HIGHWATER_QUESTION(BottomUp);
HIGHWATER_QUESTION(BottomUpAgain);
HIGHWATER_QUESTION(Times);
HIGHWATER_QUESTION(TimesAgain);
HIGHWATER_QUESTION(MaxLifeTime);
HIGHWATER_QUESTION(Filtered);
HIGHWATER_QUESTION(Peak);
HIGHWATER_QUESTION(UniqueThreads);
HIGHWATER_QUESTION(OpenStacks);
HIGHWATER_QUESTION(OpenAddresses);
HIGHWATER_QUESTION(OpenAddressesOfStacks);
HIGHWATER_QUESTION(TimelineByProcess);
HIGHWATER_QUESTION(TimelineByProcessFirst);
HIGHWATER_QUESTION(TimelineByStackBottomUpFirst);
HIGHWATER_QUESTION(TimelineByHandle);
HIGHWATER_QUESTION(TimelineByType);
HIGHWATER_QUESTION(TimelineByStackBottomUp);
HIGHWATER_QUESTION(TimelineOfProcess);
HIGHWATER_QUESTION(TimelineOfProcessByThread);
HIGHWATER_QUESTION(TimelineByProcessInRows);

} // namespace
} // namespace highwater::benchmarks
