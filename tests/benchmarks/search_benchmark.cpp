#include "core/analysis/table/table_search.h"
#include "tests/benchmarks/synthetic_trace.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

/// Find over a table of 100,000 distinct stacks of 20 frames, about 1.5 million groups, all collapsed. Goal: below 1 s
/// for the count, whatever the text.
namespace highwater::benchmarks {
namespace {

using namespace analysis;

constexpr std::uint32_t kStacks = 100'000;
constexpr std::uint64_t kRows = 1'000'000;
constexpr std::uint32_t kImages = 200;
constexpr std::uint32_t kProcesses = 50;

void addProcesses(store::ProcessTable& processes, store::TraceColumns& columns) {
    (void)columns.heaps.append(store::Heap{});
    for (std::uint32_t pid = 1; pid <= kProcesses; ++pid) {
        (void)columns.heaps.append(store::Heap{processes.current(pid), 0, 0x10000});
        for (std::uint32_t i = 0; i < kImages; ++i) {
            ImageEvent image;
            image.pid = pid;
            image.base = 0x100000 * (i + 1);
            image.size = 0x100000;
            image.path = "\\folder\\module" + std::to_string(i) + ".dll";
            processes.apply(image);
        }
    }
}

/// Leaf first: the six frames at the root fork in three each, the others are random.
void addSites(store::ProcessTable& processes, store::TraceColumns& columns, XorShift& random) {
    (void)columns.heap.endSites.intern(store::Site{});
    for (std::uint32_t i = 0; i < kStacks; ++i) {
        Address frames[20];
        for (std::size_t f = 0; f < std::size(frames); ++f) {
            const auto bits = random();
            const bool isNearRoot = f >= std::size(frames) - 6;
            frames[f] = isNearRoot ? 0x100000 * (1 + f) + bits % 3 * 64
                                   : 0x100000 * (1 + bits % kImages) + (bits >> 40) % 500 * 64;
        }
        const auto pid = 1 + i % kProcesses;
        const auto process = processes.current(pid);
        (void)columns.heap.sites.intern(
            store::Site{columns.stacks.intern({process, 0}, frames), HeapId{pid}, 1, 2, false, 0});
    }
}

std::shared_ptr<const store::PublishedTrace> makeTrace() {
    auto columns = std::make_shared<store::TraceColumns>();
    store::ProcessTable processes;
    XorShift random;
    addProcesses(processes, *columns);
    addSites(processes, *columns, random);
    for (std::uint64_t i = 0; i < kRows; ++i) {
        const auto now = static_cast<std::int64_t>(100 * i);
        const auto bits = random();
        RowId row = 0;
        (void)columns->heap.rows.begin(TraceTime{now}, 0x1000 + 16 * i, 16 + (bits >> 32) % 512,
                                       SiteId{static_cast<std::uint32_t>(i % kStacks)}, row);
        if (bits % 4 != 0) columns->heap.rows.end(row, TraceTime{now}, SiteId{0});
    }
    return publishedTrace(columns, std::make_shared<store::ProcessTable>(processes), TraceTime{100 * kRows + 1});
}

const std::shared_ptr<const store::PublishedTrace>& trace() {
    static const auto made = makeTrace();
    return made;
}

/// A new search each time: the cost of a first Ctrl+F.
void count(benchmark::State& state, const char* text, std::vector<Column> keys) {
    Query query;
    query.table = Table::Heap;
    query.interval = {TraceTime{0}, trace()->horizon};
    query.keys = std::move(keys);
    const auto labels = std::make_shared<FrameLabels>();
    (void)labels->labelsOf(*trace());
    const auto expression = QueryExpression::parse(Table::Heap, text).value();
    for (auto _ : state) {
        const auto search = TableSearch::make(trace(), labels, query, expression).value();
        const auto hits = search->count().value();
        state.counters["hits"] = static_cast<double>(hits.count) + (hits.isMore ? 1 : 0);
    }
}

void countInStacks(benchmark::State& state, const char* text) { count(state, text, {Column::Process, Column::Stack}); }
void countInStacksOfAll(benchmark::State& state, const char* text) {
    count(state, text, {Column::Stack, Column::Thread});
}

#define HIGHWATER_SEARCH(name, text)                                                                                   \
    BENCHMARK_CAPTURE(countInStacks, name, text)->Unit(benchmark::kMillisecond)->UseRealTime();                        \
    BENCHMARK_CAPTURE(countInStacksOfAll, name, text)->Unit(benchmark::kMillisecond)->UseRealTime()

HIGHWATER_SEARCH(nothing, "nowhere");
HIGHWATER_SEARCH(many_frames, "module17.dll");
HIGHWATER_SEARCH(one_function, "module17.dll!+0x1240");
HIGHWATER_SEARCH(size, "Size:>1MB");
HIGHWATER_SEARCH(one_size, "Size:=4711");
HIGHWATER_SEARCH(impacting, "[Impacting Size]:<0");
HIGHWATER_SEARCH(without, "[Stack]:~=\"module17.dll!+0x1240\" AND NOT [Process]:~=\"(7)\"");
HIGHWATER_SEARCH(peak, "[Peak Size]:>1MB");

} // namespace
} // namespace highwater::benchmarks
