// Targets (both sides measured in one run, HIGHWATER_ROWS rows, default 100 million):
//   GroupBySite      within 1.5 times of PlainGroupBy, which reads the same columns and adds the same sums
//   TimelineTotal    a repaint of 2,000 slices within 5 ms
//   ...OfProcesses, ...OfThreads   500 ms at 20 million rows
// About 40 bytes of memory per row.
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/benchmarks/synthetic_trace.h"

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace highwater::benchmarks {
namespace {

using namespace analysis;

constexpr std::uint32_t kSites = 10'000;
constexpr std::uint32_t kSlots = 1u << 21; ///< blocks outstanding at a time, on average

std::uint64_t rowCount() {
    const char* rows = std::getenv("HIGHWATER_ROWS");
    return rows == nullptr ? 100'000'000 : std::strtoull(rows, nullptr, 10);
}

/// One heap, 10,000 sites, random lifetimes: every new block replaces a random older one.
std::shared_ptr<const store::PublishedTrace> makeTrace() {
    auto columns = std::make_shared<store::TraceColumns>();
    auto& table = columns->heap;
    store::ProcessTable processes;
    const auto process = processes.current(1);
    (void)columns->heaps.append(store::Heap{});
    (void)columns->heaps.append(store::Heap{process, 0, 0x10000});
    (void)table.endSites.intern(store::Site{});
    for (std::uint32_t i = 0; i < kSites; ++i) {
        const Address frames[] = {0x400000 + i, 0x300000 + i % 100, 0x200000 + i % 10, 0x100000};
        (void)table.sites.intern(
            store::Site{columns->stacks.intern({process, 0}, frames), HeapId{1}, i % 16, 2, false, 0});
    }
    XorShift random;
    std::vector<std::uint32_t> slots(kSlots, 0xFFFFFFFFu);
    std::int64_t now = 0;
    for (std::uint64_t i = 0; i < rowCount(); ++i) {
        const auto bits = random();
        now += 100;
        auto& slot = slots[bits % kSlots];
        if (slot != 0xFFFFFFFFu) table.rows.end(slot, TraceTime{now}, SiteId{0});
        RowId row = 0;
        if (!table.rows.begin(TraceTime{now}, 0x1000 + 16 * i, 16 + (bits >> 32) % 512,
                              SiteId{static_cast<std::uint32_t>((bits >> 41) % kSites)}, row))
            std::abort();
        slot = row;
    }
    return publishedTrace(columns, std::make_shared<store::ProcessTable>(processes), TraceTime{now + 1});
}

const std::shared_ptr<const store::PublishedTrace>& trace() {
    static const auto made = makeTrace();
    return made;
}

/// Percent of the trace that the interval covers, in its middle.
TimeRange intervalOf(std::int64_t percent) {
    const auto end = trace()->horizon.ns;
    return {TraceTime{end / 200 * (100 - percent)}, TraceTime{end / 200 * (100 + percent)}};
}

/// The columns as the author of such code would have them.
const std::vector<std::int64_t>& plainBegins() {
    static const auto made = [] {
        std::vector<std::int64_t> begins(trace()->heap.rows);
        trace()->heap.columns->rows.begins().read(0, begins);
        return begins;
    }();
    return made;
}
const std::vector<std::int64_t>& plainEnds() {
    static const auto made = [] {
        std::vector<std::int64_t> ends(trace()->heap.rows);
        trace()->heap.columns->rows.ends().read(0, ends);
        return ends;
    }();
    return made;
}

struct PlainCell {
    std::uint64_t count = 0;
    std::uint64_t size = 0;
    std::uint64_t allocated = 0;
    std::uint64_t impacting = 0;
};

/// Hand-written code for exactly these four sums by site.
void plainRows(TimeRange interval, std::uint64_t first, std::uint64_t last, PlainCell* cells) {
    const auto& rows = trace()->heap.columns->rows;
    while (first < last) {
        const auto n = rows.narrowSizes().contiguous(first, last).size();
        const auto* begin = plainBegins().data() + first;
        const auto* end = plainEnds().data() + first;
        const auto* size = rows.narrowSizes().contiguous(first, last).data();
        const auto* site = rows.sites().contiguous(first, last).data();
        for (std::uint64_t i = 0; i < n; ++i) {
            const bool inside = begin[i] >= interval.start.ns;
            const bool freed = end[i] < interval.end.ns;
            const bool member = (begin[i] < interval.end.ns) & ((end[i] > interval.start.ns) | inside);
            const std::uint64_t bytes = member ? size[i] : 0;
            auto& cell = cells[site[i]];
            cell.count += member ? 1 : 0;
            cell.size += bytes;
            cell.allocated += inside ? bytes : 0;
            cell.impacting += (freed ? 0 : bytes) - (inside ? 0 : bytes);
        }
        first += n;
    }
}

void PlainGroupBy(benchmark::State& state) {
    const auto interval = intervalOf(state.range(0));
    const auto rows = trace()->heap.rows;
    (void)plainBegins();
    for (auto _ : state) {
        std::vector<PlainCell> halves[2];
        std::vector<std::jthread> threads;
        for (int half = 0; half < 2; ++half) {
            threads.emplace_back([&, half] {
                halves[half].resize(kSites);
                plainRows(interval, half == 0 ? 0 : rows / 2, half == 0 ? rows / 2 : rows, halves[half].data());
            });
        }
        threads.clear();
        benchmark::DoNotOptimize(halves[0].data());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(rows) * state.iterations());
}

void group(benchmark::State& state, std::vector<Column> keys, bool exitFrees = false) {
    const auto labels = std::make_shared<FrameLabels>();
    Query query;
    query.table = Table::Heap;
    query.interval = intervalOf(state.range(0));
    query.keys = std::move(keys);
    query.processExitFreesHeap = exitFrees;
    for (auto _ : state) {
        auto table = GroupedTable::compute(trace(), labels, query);
        benchmark::DoNotOptimize(table.value()->children(GroupedTable::kRoot).size());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(trace()->heap.rows) * state.iterations());
}

void GroupBySite(benchmark::State& state) { group(state, {Column::StackBottomUp}); }
void GroupByImpactingType(benchmark::State& state) {
    group(state, {Column::Process, Column::ImpactingType, Column::Stack});
}
void GroupByFreeType(benchmark::State& state) { group(state, {Column::FreeType}); }

void GroupWithTimes(benchmark::State& state) {
    Query query;
    query.table = Table::Heap;
    query.interval = intervalOf(state.range(0));
    query.keys = {Column::Process, Column::Stack};
    query.columns = {Column::BeginTime, Column::EndTime};
    const auto labels = std::make_shared<FrameLabels>();
    for (auto _ : state) {
        benchmark::DoNotOptimize(GroupedTable::compute(trace(), labels, query).value().get());
    }
}

/// One value column for the groups of one level, from the query to the values.
void valuesOfVisibleGroups(benchmark::State& state, Column by, ValueColumn column) {
    Query query;
    query.table = Table::Heap;
    query.interval = intervalOf(state.range(0));
    query.keys = {by};
    query.columns = {column};
    const auto labels = std::make_shared<FrameLabels>();
    for (auto _ : state) {
        auto table = GroupedTable::compute(trace(), labels, query).value();
        const auto& children = table->children(GroupedTable::kRoot);
        (void)table->computeValues(children);
        benchmark::DoNotOptimize(table->value(children.front(), column));
    }
}

void MaxSizeOfProcesses(benchmark::State& state) {
    valuesOfVisibleGroups(state, Column::Process, {Column::Size, Aggregation::Max});
}
void UniqueThreadsOfProcesses(benchmark::State& state) {
    valuesOfVisibleGroups(state, Column::Process, {Column::Thread, Aggregation::UniqueCount});
}
void UniqueSizesOfThreads(benchmark::State& state) {
    valuesOfVisibleGroups(state, Column::Thread, {Column::Size, Aggregation::UniqueCount});
}
void UniqueAddressesOfThreads(benchmark::State& state) {
    valuesOfVisibleGroups(state, Column::Thread, {Column::Address, Aggregation::UniqueCount});
}
void PeakOfProcesses(benchmark::State& state) {
    valuesOfVisibleGroups(state, Column::Process, {Column::Size, Aggregation::Peak});
}
void PeakOfThreads(benchmark::State& state) {
    valuesOfVisibleGroups(state, Column::Thread, {Column::Size, Aggregation::Peak});
}

void SlopeOfProcesses(benchmark::State& state) { valuesOfVisibleGroups(state, Column::Process, Column::Slope); }
void PeakTimeOfProcesses(benchmark::State& state) { valuesOfVisibleGroups(state, Column::Process, Column::PeakTime); }

void timeline(benchmark::State& state, std::optional<Column> by) {
    FrameLabels labels;
    TimelineQuery query;
    query.table = Table::Heap;
    query.points = 2000;
    query.interval = intervalOf(state.range(0));
    query.by = by;
    for (auto _ : state) {
        benchmark::DoNotOptimize(computeTimeline(*trace(), labels, query).value().series.size());
    }
}

void TimelineTotal(benchmark::State& state) { timeline(state, std::nullopt); }
void TimelineBy16Threads(benchmark::State& state) { timeline(state, Column::Thread); }

/// 100,000 stacks of 20 frames in 200 images.
void LabelFrames(benchmark::State& state) {
    auto columns = std::make_shared<store::TraceColumns>();
    store::ProcessTable processes;
    const auto process = processes.current(1);
    for (std::uint32_t i = 0; i < 200; ++i) {
        ImageEvent image;
        image.pid = 1;
        image.base = 0x100000 * (i + 1);
        image.size = 0x100000;
        image.path = "\\folder\\module" + std::to_string(i) + ".dll";
        processes.apply(image);
    }
    XorShift random;
    for (int i = 0; i < 100'000; ++i) {
        Address frames[20];
        for (auto& frame : frames) {
            const auto bits = random();
            frame = 0x100000 * (1 + bits % 200) + (bits >> 40) % 500 * 64;
        }
        (void)columns->stacks.intern({process, 0}, frames);
    }
    store::PublishedTrace stacks;
    stacks.columns = columns;
    stacks.processes = std::make_shared<store::ProcessTable>(processes);
    stacks.nodeCount = columns->stacks.nodeCount();
    for (auto _ : state) {
        FrameLabels labels;
        benchmark::DoNotOptimize(labels.labelsOf(stacks)->size());
    }
}

BENCHMARK(PlainGroupBy)->Arg(100)->Arg(50)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(GroupBySite)->Arg(100)->Arg(50)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(GroupByImpactingType)->Arg(100)->Arg(50)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(GroupByFreeType)->Arg(100)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(GroupWithTimes)->Arg(100)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(MaxSizeOfProcesses)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(UniqueThreadsOfProcesses)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(UniqueSizesOfThreads)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(UniqueAddressesOfThreads)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(PeakOfProcesses)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(SlopeOfProcesses)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(PeakTimeOfProcesses)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(PeakOfThreads)->Arg(100)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(TimelineTotal)->Arg(100)->Arg(50)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(TimelineBy16Threads)->Arg(100)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(LabelFrames)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace highwater::benchmarks
