#include "core/analysis/difference/difference.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <functional>
#include <map>
#include <tuple>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Labels = std::shared_ptr<FrameLabels>;
/// (instance, key of the second column) -> count and bytes, which wrap.
using Told = std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>;

Query snapshotQuery(std::vector<Column> keys, TimeRange interval) {
    Query query;
    query.table = Table::Snapshot;
    query.keys = std::move(keys);
    query.interval = interval;
    query.sort = {{Column::Instance, false}, {Column::Size, true}};
    return query;
}

std::uint64_t numberOf(const CellValue& value) { return static_cast<std::uint64_t>(std::get<std::int64_t>(value)); }

Told told(const std::shared_ptr<const store::PublishedTrace>& trace, const Query& query) {
    const auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
    Told groups;
    for (const auto instance : table->children(GroupedTable::kRoot)) {
        for (const auto group : table->children(instance)) {
            const auto path = table->path(group);
            groups[{path[0].key, path[1].key}] = {numberOf(table->value(group, Column::Count)),
                                                  numberOf(table->value(group, Column::Size))};
        }
    }
    return groups;
}

/// Blocks are outstanding at T if they were allocated before T and not freed before T.
template <typename KeyOf>
Told recount(const Publication& publication, const Query& query, KeyOf keyOf) {
    Told groups;
    const auto& model = publication.model;
    const auto whole = publication.trace->wholeRange();
    std::vector<store::Snapshot> instances;
    if (publication.trace->snapshots) instances = *publication.trace->snapshots;
    auto number = instances.empty() ? 0 : instances.back().number;
    for (const auto time : *query.instances.added)
        instances.push_back({++number, time});
    for (const auto& instance : instances) {
        const auto time = instance.time;
        if (time < whole.start || time > whole.end || time < query.interval.start) continue;
        if (time >= query.interval.end && (time != whole.end || query.interval.end < whole.end)) continue;
        const auto add = [&](std::uint64_t key, ByteCount size) {
            auto& group = groups[{instance.number, key}];
            ++group.first;
            group.second += size;
        };
        if (instance.hasOwnBlocks) {
            for (const auto& block : model.snapshotBlocks)
                if (block.snapshot == instance.number) add(keyOf(block.process, block.size), block.size);
            continue;
        }
        for (const auto& row : model.rows) {
            auto end = row.end.value_or(kNever);
            const auto exit = model.processes[row.process].end;
            if (query.processExitFreesHeap && exit && *exit < whole.end) end = std::min(end, *exit);
            const bool isOutstanding = row.begin < time && end >= time;
            const bool isMeant = instance.pid == kAllProcesses || instance.pid == model.processes[row.process].pid;
            if (row.table == store::TableKind::Heap && isOutstanding && isMeant)
                add(keyOf(row.process, row.size), row.size);
        }
    }
    return groups;
}

/// The snapshots of 1 MiB, 10 MiB and 100 MiB buffers as Windows took them, with blocks of their own.
std::shared_ptr<const store::PublishedTrace> traceOfBuffers() {
    constexpr ByteCount kMegabyte = 1 << 20;
    const std::string start = "ntdll.dll!RtlUserThreadStart;kernel32.dll!BaseThreadInitThunk";
    const std::string main = start + ";rust_wpa.exe!__scrt_common_main_seh;rust_wpa::main";
    ColumnsBuilder builder;
    const auto process = builder.process("rust_wpa.exe", 4242, TraceTime{0});
    Address address = 0x1000;
    std::uint32_t number = 0;
    const auto block = [&](ByteCount size, const std::string& stack) {
        builder.snapshotBlock({number, process, 0x10000, address += 0x1000, size, stack});
    };
    const auto blocks = [&](int count, ByteCount bytes, const std::string& stack) {
        for (int i = 0; i < count; ++i)
            block(i == 0 ? bytes - static_cast<ByteCount>(count - 1) : 1, stack);
    };
    for (number = 1; number <= 10; ++number) {
        builder.snapshot(
            {number, TraceTime{240'000'000 + 60'000'000 * std::int64_t{number}}, 4242, SnapshotOrigin::Windows, true});
        blocks(7, 2504, "ntdll.dll!LdrInitializeThunk");
        blocks(2, 1048, start + ";ntdll.dll!TppWorkerThread");
        blocks(5, 187, main + ";rust_wpa::wpr::WprSession::make_snapshot");
        if (number > 1) block(number < 6 ? 64 : 128, main + ";alloc::vec::Vec<...>");
        for (std::uint32_t i = 1; i < number; ++i) {
            const auto kind = (i - 1) / 3;
            const char* names[] = {"alloc_1_mb", "alloc_10_mb", "alloc_100_mb"};
            const ByteCount sizes[] = {kMegabyte, 10 * kMegabyte, 100 * kMegabyte};
            block(sizes[kind], main + ";rust_wpa::" + names[kind] + "::alloc");
        }
    }
    return builder.publish(TraceTime{1'126'865'500});
}

} // namespace

class SnapshotPopulationTest : public QObject {
    Q_OBJECT
  private slots:
    void countsWhatIsOutstandingAtEachInstance() {
        std::size_t groups = 0;
        for (unsigned seed = 0; seed < 600; ++seed) {
            RandomTrace random(seed, seed % 2 == 0 ? RandomTrace::Cuts::None : RandomTrace::Cuts::Some);
            for (const auto& publication : random.publications()) {
                const auto whole = publication.trace->wholeRange();
                auto query = snapshotQuery({Column::Instance, Column::Process},
                                           random.pick(3) == 0 ? random.intervalOf(publication) : whole);
                query.processExitFreesHeap = random.pick(3) == 0;
                std::vector<TraceTime> added;
                for (auto count = random.pick(7); count > 0; --count)
                    added.push_back(
                        {whole.start.ns - 1 + random.pick(static_cast<unsigned>(whole.end.ns - whole.start.ns) + 3)});
                query.instances.added = std::make_shared<const std::vector<TraceTime>>(added);
                const auto byProcess = recount(publication, query,
                                               [](std::uint32_t process, ByteCount) { return std::uint64_t{process}; });
                if (told(publication.trace, query) != byProcess)
                    QFAIL(fmt::format("by process, seed {}", seed).c_str());
                groups += byProcess.size();
                // Row by row.
                query.keys = {Column::Instance, Column::RowSize};
                const auto bySize = recount(publication, query, [](std::uint32_t, ByteCount size) { return size; });
                if (told(publication.trace, query) != bySize) QFAIL(fmt::format("by size, seed {}", seed).c_str());
                query.instances.only = 1 + random.pick(4);
                auto one = bySize;
                std::erase_if(one, [&](const auto& group) { return group.first.first != query.instances.only; });
                if (told(publication.trace, query) != one) QFAIL(fmt::format("of one, seed {}", seed).c_str());
            }
        }
        QVERIFY2(groups > 5000, std::to_string(groups).c_str());
    }

    void somebodyWhoStopsGetsNothing() {
        RandomTrace random(7);
        const auto& trace = random.publications().back().trace;
        auto query = snapshotQuery({Column::Instance}, trace->wholeRange());
        query.instances.added = std::make_shared<const std::vector<TraceTime>>(std::vector{trace->horizon});
        std::stop_source stop;
        stop.request_stop();
        const auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query, stop.get_token());
        QVERIFY(!table.hasValue() && table.error().kind == ErrorKind::Cancelled);
    }

    void someAreOfOneProcess() {
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        builder.process("b.exe", 8, TraceTime{0});
        for (std::uint32_t process = 0; process < 2; ++process) {
            ModelRow row;
            row.process = process;
            row.heap = 0x10000;
            row.begin = TraceTime{1};
            row.size = 10 + process;
            row.stack = "A";
            row.address = 0x1000 * (process + 1);
            builder.alloc(row);
        }
        builder.snapshot({1, TraceTime{5}, 8});
        builder.snapshot({4, TraceTime{6}});
        builder.snapshot({5, TraceTime{1}}); // allocations at the instant itself do not count yet
        const auto trace = builder.publish(TraceTime{10});
        QCOMPARE("\n" + printed(trace, snapshotQuery({Column::Instance, Column::Process}, trace->wholeRange())),
                 std::string(R"(
1: 1 11 
  b.exe (8): 1 11 
4: 2 21 
  b.exe (8): 1 11 
  a.exe (7): 1 10 
)"));
    }

    void showsTheBlocksThatSnapshotsOfWindowsBring() {
        const auto trace = traceOfBuffers();
        const auto query = snapshotQuery({Column::Instance}, trace->wholeRange());
        QCOMPARE("\n" + printed(trace, query), std::string(R"(
1: 14 3739 
2: 16 1052379 
3: 17 2100955 
4: 18 3149531 
5: 19 13635291 
6: 20 24121115 
7: 21 34606875 
8: 22 139464475 
9: 23 244322075 
10: 24 349179675 
)"));
        auto ninth = snapshotQuery({Column::Instance, Column::Process, Column::Stack}, trace->wholeRange());
        ninth.instances.only = 9;
        QCOMPARE("\n" + printed(trace, ninth), std::string(R"(
9: 23 244322075 
  rust_wpa.exe (4242): 23 244322075 
    ntdll.dll!RtlUserThreadStart: 16 244319571 
      kernel32.dll!BaseThreadInitThunk: 16 244319571 
        rust_wpa.exe!__scrt_common_main_seh: 14 244318523 
          rust_wpa::main: 14 244318523 
            rust_wpa::alloc_100_mb::alloc: 2 209715200 
            rust_wpa::alloc_10_mb::alloc: 3 31457280 
            rust_wpa::alloc_1_mb::alloc: 3 3145728 
            rust_wpa::wpr::WprSession::make_snapshot: 5 187 
            alloc::vec::Vec<...>: 1 128 
        ntdll.dll!TppWorkerThread: 2 1048 
    ntdll.dll!LdrInitializeThunk: 7 2504 
)"));
    }

    void twoAreCompared() {
        const auto trace = traceOfBuffers();
        DifferenceQuery query;
        query.table = Table::Snapshot;
        const auto labels = std::make_shared<FrameLabels>();
        query.before = {{trace, labels, trace->wholeRange(), {}, {nullptr, 8}}};
        query.after = {{trace, labels, trace->wholeRange(), {}, {nullptr, 9}}};
        const auto difference = Difference::compute(query).value();
        std::string changed;
        const std::function<void(Difference::NodeId)> open = [&](Difference::NodeId node) {
            const bool isLeaf = !difference->hasChildren(node);
            if (isLeaf && isChange(difference->state(node)))
                changed += fmt::format("{} {:+} {:+};", difference->text(node),
                                       difference->change(node, Measure::Outstanding).delta(),
                                       difference->change(node, Measure::Count).delta());
            for (const auto child : difference->children(node))
                open(child);
        };
        open(Difference::kRoot);
        QCOMPARE(changed, std::string("rust_wpa::alloc_100_mb::alloc!+0x1 +104857600 +1;"));
        QCOMPARE(difference->change(Difference::kRoot, Measure::Outstanding).after, std::int64_t{244322075});
        QVERIFY(difference->computePeaks(std::array{Difference::kRoot}).hasValue());
        QCOMPARE(difference->change(Difference::kRoot, Measure::PeakSize).before, std::int64_t{139464475});
    }

    /// Each would be a cell: a thousand instances of a large program do not fit into memory.
    void moreThanCanBeToldTogetherIsRefused() {
        constexpr std::uint32_t kSites = 4001;
        constexpr std::int64_t kInstants = 1000;
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        ModelRow row;
        row.heap = 0x10000;
        row.size = 10;
        for (const auto begin : {1, 500}) { // at all instances, and at some of them once more
            for (std::uint32_t site = 0; site < kSites; ++site) {
                row.thread = site + 1;
                row.begin = TraceTime{begin};
                row.address += 0x1000;
                builder.alloc(row);
            }
        }
        const auto trace = builder.publish(TraceTime{2000});
        std::vector<TraceTime> instants;
        for (std::int64_t i = 0; i < kInstants; ++i)
            instants.push_back({10 + i});
        auto query = snapshotQuery({Column::Instance}, trace->wholeRange());
        query.instances.added = std::make_shared<const std::vector<TraceTime>>(instants);
        const auto refused = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query);
        QVERIFY(!refused.hasValue());
        QCOMPARE(refused.error().kind, ErrorKind::Usage);
        QCOMPARE(
            refused.error().message,
            std::string(
                "1,000 snapshots in the interval have 4,001,000 groups of blocks by stack and thread, which "
                "exceeds the limit of 4,000,000. Choose an interval with fewer snapshots, or compare two of them."));
        query.interval = {TraceTime{495}, TraceTime{505}};
        const auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
        QCOMPARE(table->children(GroupedTable::kRoot).size(), std::size_t{10});
        QCOMPARE(numberOf(table->value(GroupedTable::kRoot, Column::Count)),
                 std::uint64_t{kSites * 6 + 2 * kSites * 4});
        query.interval = trace->wholeRange();
        query.instances.only = 1000;
        QVERIFY(GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).hasValue());
    }

    void aTimelineHasTheLargestInstanceOfEachSlice() {
        const auto trace = traceOfBuffers();
        TimelineQuery query;
        query.table = Table::Snapshot;
        query.interval = {TraceTime{0}, trace->horizon};
        query.points = 1;
        FrameLabels labels;
        const auto total = computeTimeline(*trace, labels, query).value();
        QCOMPARE(total.series.size(), std::size_t{1});
        QCOMPARE(total.series[0].peaks, std::vector<SignedByteCount>{349179675});
        query.by = Column::Instance;
        query.points = 1'126'865;
        query.measure = TimelineMeasure::Count;
        query.interval.end = TraceTime{1'126'865'000};
        query.maxSeries = 3;
        const auto largest = computeTimeline(*trace, labels, query).value();
        QCOMPARE(largest.series.size(), std::size_t{4});
        QCOMPARE(largest.series[0].name, std::string("10"));
        const auto& peaks = largest.series[0].peaks;
        for (std::size_t i = 0; i < peaks.size(); ++i)
            QCOMPARE(peaks[i], SignedByteCount{i == 840'000 ? 24 : 0});
    }
};

HIGHWATER_TEST(SnapshotPopulationTest);
#include "snapshot_population_test.moc"
