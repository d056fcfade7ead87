#include "tests/benchmarks/synthetic_trace.h"

#include <array>
#include <cstdlib>
#include <vector>

namespace highwater::benchmarks {
namespace {

constexpr std::int64_t kNsBetweenRows = 100;
constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

/// One heap per process, one site per stack. Stacks share their outer frames, like those of real programs: a fan-out of
/// 1 to 12 from frame to frame, and a chain of three at the root.
void makeSites(const SyntheticTrace& shape, store::TraceColumns& columns, store::ProcessTable& processes) {
    (void)columns.heaps.append(store::Heap{});
    (void)columns.heap.endSites.intern(store::Site{});
    std::vector<HeapId> heaps;
    std::vector<ProcessIndex> owners;
    for (std::uint32_t i = 0; i < shape.processes; ++i) {
        ProcessEvent start;
        start.occasion = Occasion::Start;
        start.pid = 1000 + i;
        start.name = "app" + std::to_string(i) + ".exe";
        std::optional<ProcessIndex> ended;
        owners.push_back(processes.apply(start, ended));
        heaps.push_back(HeapId{i + 1});
        (void)columns.heaps.append(store::Heap{owners.back(), 0, 0x10000 + 0x1000ull * i});
    }
    for (std::uint32_t i = 0; i < shape.stacks; ++i) {
        std::array<Address, 12> frames{};
        auto path = i;
        for (std::size_t at = 0; at < frames.size(); ++at) { // leaf first
            frames[at] =
                0x7FF600000000 + (frames.size() - at) * 0x1000000 + (at + 3 >= frames.size() ? 0 : path * 16ull);
            path /= at % 2 == 0 ? 1 : 12;
        }
        const auto process = i % shape.processes;
        (void)columns.heap.sites.intern(store::Site{columns.stacks.intern({owners[process], 0}, frames), heaps[process],
                                                    100 + i % shape.threads, 2, false, 0});
    }
}

void makeRows(const SyntheticTrace& shape, store::TableColumns& table, std::int64_t& now) {
    XorShift random;
    std::vector<std::uint32_t> living(shape.outstanding, kNoRow);
    for (std::uint64_t i = 0; i < shape.rows; ++i) {
        const auto bits = random();
        now += kNsBetweenRows;
        auto& place = living[bits % shape.outstanding];
        if (place != kNoRow) table.rows.end(place, TraceTime{now}, SiteId{0});
        RowId row = 0;
        // Some sites occur more often than others, like those of real programs.
        const auto site = static_cast<std::uint32_t>((bits >> 41) % shape.stacks) % (1 + (bits >> 17) % shape.stacks);
        if (!table.rows.begin(TraceTime{now}, 0x1000 + 16 * i, 16 + (bits >> 32) % 512,
                              SiteId{static_cast<std::uint32_t>(site)}, row))
            std::abort();
        place = row;
    }
}

void publish(store::TableView& view, const store::TableColumns& columns, TraceTime horizon) {
    view.columns = &columns;
    view.horizon = horizon;
    view.rows = columns.rows.rowCount();
    view.events = columns.rows.order().eventCount();
    view.sites = columns.sites.size();
    view.endSites = columns.endSites.size();
}

} // namespace

std::shared_ptr<store::PublishedTrace> publishedTrace(std::shared_ptr<const store::TraceColumns> columns,
                                                      std::shared_ptr<const store::ProcessTable> processes,
                                                      TraceTime horizon) {
    auto trace = std::make_shared<store::PublishedTrace>();
    trace->horizon = horizon;
    publish(trace->heap, columns->heap, horizon);
    publish(trace->virtualAlloc, columns->virtualAlloc, horizon);
    publish(trace->managed, columns->managed, horizon);
    publish(trace->gcHeap, columns->gcHeap, horizon);
    trace->stackCount = columns->stacks.stackCount();
    trace->nodeCount = columns->stacks.nodeCount();
    trace->columns = std::move(columns);
    trace->processes = std::move(processes);
    return trace;
}

std::shared_ptr<const store::PublishedTrace> makeSyntheticTrace(const SyntheticTrace& shape) {
    auto columns = std::make_shared<store::TraceColumns>();
    auto processes = std::make_shared<store::ProcessTable>();
    makeSites(shape, *columns, *processes);
    std::int64_t now = 0;
    makeRows(shape, columns->heap, now);
    return publishedTrace(columns, processes, TraceTime{now + 1});
}

} // namespace highwater::benchmarks
