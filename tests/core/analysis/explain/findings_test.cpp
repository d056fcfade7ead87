#include "core/analysis/explain/findings.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/held/held_trace.h"
#include "tests/core/analysis/held/pictured_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr ByteCount kKilo = 1 << 10;

/// Heap blocks and pages of one process, in order of time.
class TwoTables {
  public:
    TwoTables() { builder_.process("a.exe", 7, TraceTime{0}); }

    void add(store::TableKind table, std::int64_t time, ByteCount size, const char* stack) {
        ModelRow row;
        row.table = table;
        row.heap = table == store::TableKind::Heap ? 0x10000 : 0;
        row.begin = TraceTime{time};
        row.size = size;
        row.stack = stack;
        row.address = next_ += 0x100000;
        (void)builder_.alloc(row);
    }
    std::shared_ptr<const store::PublishedTrace> publish() { return builder_.publish(TraceTime{1000}); }

  private:
    ColumnsBuilder builder_;
    Address next_ = 0;
};

Findings foundIn(const store::PublishedTrace& trace) {
    FrameLabels labels;
    LeakQuery query;
    query.interval = trace.wholeRange();
    auto found = findFindings(trace, labels, query);
    if (!found.hasValue()) qFatal("%s", found.error().message.c_str());
    return std::move(found).value();
}

/// One step in each table at 500: at the end of these stacks, and of these sizes.
std::shared_ptr<const store::PublishedTrace> steps(ByteCount blocks, const char* ofBlocks, ByteCount pages,
                                                   const char* ofPages) {
    TwoTables trace;
    trace.add(store::TableKind::Heap, 500, blocks, ofBlocks);
    trace.add(store::TableKind::VirtualAlloc, 500, pages, ofPages);
    return trace.publish();
}

} // namespace

class FindingsTest : public QObject {
    Q_OBJECT
  private slots:
    void theSurgeNamesTheOwnerOfMostOfIt() {
        // The largest stack is not that of the owner of most bytes.
        const auto trace = traceOfBlocks({{500, 0, 800 * kKilo, "main;load"},
                                          {500, 0, 600 * kKilo, "main;a;work"},
                                          {501, 0, 580 * kKilo, "main;b;work"},
                                          {502, 0, 20 * kKilo, "main;rest"}});
        const auto found = foundIn(*trace);
        QVERIFY(found.surge.has_value());
        QCOMPARE(found.surge->table, Table::Heap);
        QCOMPARE(found.surge->surge.bytes, SignedByteCount{2000 * kKilo});
        QCOMPARE(found.surge->surge.stacks.size(), std::size_t{3});
        QCOMPARE(found.surge->owner, std::string("work!+0x1"));
        QCOMPARE(found.surge->share, 0.59);
        QCOMPARE(found.surge->path.size(), std::size_t{2}); // the process, and the owner, which allocated directly
        QCOMPARE(found.surge->path[0].column, Column::Process);
        QCOMPARE(found.surge->path[1].column, Column::StackBottomUp);
        QVERIFY(found.leaks.empty());
    }
    /// A fact precedes an estimate.
    void unreachableBlocksAreTheFirstLeak() {
        PicturedTrace trace;
        std::map<std::size_t, ModelHeld> blocks;
        for (int i = 0; i < 90; ++i)
            blocks[trace.block("main;grow", 10)] = byRoot("app!g_list");
        blocks[trace.block("main;lost", 400)] = unreachable();
        trace.picture(std::move(blocks));
        const auto leaks = foundIn(*trace.publish()).leaks;
        QCOMPARE(leaks.size(), std::size_t{2});
        QCOMPARE(leaks[0].suspect.owner, std::string("lost!+0x1"));
        QCOMPARE(leaks[0].unreachable, (BlockSum{1, 400}));
        QCOMPARE(leaks[0].outstandingBytes, ByteCount{400});
        QCOMPARE(leaks[0].bytesPerSecond, 0.0);
        QCOMPARE(leaks[1].suspect.owner, std::string("grow!+0x1"));
    }
    void theLargerSurgeOfBothTablesIsShown() {
        QCOMPARE(foundIn(*steps(2000 * kKilo, "main;work", 1800 * kKilo, "main;map")).surge->table, Table::Heap);
        const auto pages = foundIn(*steps(2000 * kKilo, "main;work", 8192 * kKilo, "main;map"));
        QCOMPARE(pages.surge->table, Table::VirtualAlloc);
        QCOMPARE(pages.surge->owner, std::string("map!+0x1"));
        // A heap commits a little more than its blocks.
        QCOMPARE(foundIn(*steps(2000 * kKilo, "main;work", 2200 * kKilo, "main;work")).surge->table, Table::Heap);
        QCOMPARE(foundIn(*steps(2000 * kKilo, "main;work", 8192 * kKilo, "main;work")).surge->table,
                 Table::VirtualAlloc);
    }
    void gradualGrowthIsNoSurge() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t time = 100; time < 1000; time += 10)
            blocks.push_back({time, 0, 10, "main;leak", 0, 1});
        const auto found = foundIn(*traceOfBlocks(blocks));
        QVERIFY(!found.surge);
        QCOMPARE(found.leaks.size(), std::size_t{1});
        QCOMPARE(found.leaks[0].suspect.owner, std::string("leak!+0x1"));
        QCOMPARE(found.leaks[0].suspect.table, Table::Heap);
        QCOMPARE(pathToOwner(found.leaks[0].suspect).size(), std::size_t{2});
    }
    void theFastestLeaksOfBothTablesAreShownOncePerOwner() {
        TwoTables trace;
        for (std::int64_t time = 100; time < 1000; time += 10) {
            trace.add(store::TableKind::Heap, time, 10, "main;small");
            trace.add(store::TableKind::Heap, time, 40, "main;leak");
            trace.add(store::TableKind::Heap, time, 30, "main;other;leak"); // also of leak
            trace.add(store::TableKind::VirtualAlloc, time, 4096, "main;map");
        }
        const auto found = foundIn(*trace.publish());
        QCOMPARE(found.leaks.size(), std::size_t{2});
        QCOMPARE(found.leaks[0].suspect.owner, std::string("map!+0x1"));
        QCOMPARE(found.leaks[0].suspect.table, Table::VirtualAlloc);
        QCOMPARE(found.leaks[1].suspect.owner, std::string("leak!+0x1"));
        QCOMPARE(found.leaks[1].suspect.keptBytes, ByteCount{90 * 40});
        QCOMPARE(found.leaks[1].leakedBytes, ByteCount{90 * 70}); // of both stacks
        QCOMPARE(found.leaks[1].outstandingBytes, ByteCount{90 * 70});
        QCOMPARE(found.leaks[1].stacks, std::size_t{2});
        QVERIFY(found.leaks[1].bytesPerSecond > found.leaks[1].suspect.growth.perSecond * 1.5);
    }
    /// The queue is emptied every 100 ns, except for one block of ten, and just before the end.
    void aLeakInAQueueIsCountedWithoutWhatMayStillBeFreed() {
        std::vector<BlockOfTest> blocks;
        std::uint64_t leaked = 0;
        for (std::int64_t time = 0; time < 990; ++time) {
            const bool isLeaked = time % 10 == 0;
            blocks.push_back({time, isLeaked || time >= 900 ? 0 : time / 100 * 100 + 100, 40, "main;queue", 0, 1});
            leaked += isLeaked && time < 890;
        }
        const auto found = foundIn(*traceOfBlocks(blocks));
        QCOMPARE(found.leaks.size(), std::size_t{1});
        const auto& leak = found.leaks[0];
        QVERIFY(leak.suspect.keptBytes >= 40 * (leaked + 80));
        QVERIFY(leak.leakedBytes <= 40 * leaked && leak.leakedBytes >= 40 * (leaked - 5));
        QCOMPARE(leak.outstandingBytes, leak.leakedBytes);
    }
    /// Next to a leak of megabytes, the few bytes that a library keeps are not a finding.
    void aSmallLeakIsNoFinding() {
        TwoTables trace;
        for (std::int64_t time = 100; time < 1000; time += 10) {
            trace.add(store::TableKind::Heap, time, 40, "main;library"); // 3.5 KB
            trace.add(store::TableKind::Heap, time, 64 * kKilo, "main;leak");
        }
        const auto found = foundIn(*trace.publish());
        QCOMPARE(found.leaks.size(), std::size_t{1});
        QCOMPARE(found.leaks[0].suspect.owner, std::string("leak!+0x1"));
    }
    /// A buffer that grows to 11 KB is not a finding, even if nothing larger exists.
    void aSmallStepIsNoSurge() {
        QVERIFY(foundIn(*traceOfBlocks({{500, 0, 11 * kKilo, "main;grow"}})).isEmpty());
        QVERIFY(foundIn(*steps(11 * kKilo, "main;grow", 1024 * kKilo, "main;map")).surge->table == Table::VirtualAlloc);
    }
    /// A program that maps 1.5 MB once, and whose heap grows to more, has no surge.
    void aSmallStepBesideALargeGrowthIsNoSurge() {
        TwoTables trace;
        for (std::int64_t time = 100; time < 1000; time += 10)
            trace.add(store::TableKind::Heap, time, 100 * kKilo, "main;leak");
        trace.add(store::TableKind::VirtualAlloc, 500, 1500 * kKilo, "main;map");
        const auto found = foundIn(*trace.publish());
        QVERIFY(!found.surge);
        QCOMPARE(found.leaks.front().suspect.owner, std::string("leak!+0x1"));
        QVERIFY(!found.leaks.front().interval);
    }
    void leaksThatAnExitFreedAreThoseBefore() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t time = 100; time < 900; time += 10)
            blocks.push_back({time, 950, 10, "main;leak", 0, 1});
        const auto trace = traceOfBlocks(blocks);
        QVERIFY(foundIn(*trace).leaks.empty());
        FrameLabels labels;
        LeakQuery query;
        query.interval = trace->wholeRange();
        const TimeRange before{TraceTime{0}, TraceTime{940}};
        const FreedOnExit exited{Table::Heap, "a.exe", 800, before, ProcessIndex{0}};
        const auto found = findFindings(*trace, labels, query, {}, exited);
        QCOMPARE(found.value().leaks.size(), std::size_t{1});
        QCOMPARE(found.value().leaks[0].suspect.owner, std::string("leak!+0x1"));
        QCOMPARE(found.value().leaks[0].interval, std::optional(before));
    }
    /// As in a recording with a server and its short-lived children: a stack of the server that grew until the first
    /// child exited, and then no more, is no leak, as in the list of leaks.
    void anExitDoesNotEndTheIntervalOfOtherProcesses() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t time = 10; time < 300; time += 3) {
            blocks.push_back({time, 310, 10, "main;child", 0, 1});
            blocks.push_back({time, 0, 10, "main;levelled", 1, 2});
        }
        for (std::int64_t time = 10; time < 990; time += 10)
            blocks.push_back({time, 0, 90, "main;growing", 1, 2});
        const auto trace = traceOfBlocks(blocks);
        FrameLabels labels;
        LeakQuery query;
        query.interval = trace->wholeRange();
        const TimeRange before{TraceTime{0}, TraceTime{300}};
        const auto found = findFindings(*trace, labels, query, {}, FreedOnExit{Table::Heap, "a.exe", 970, before});
        const auto& leaks = found.value().leaks;
        QCOMPARE(leaks.size(), std::size_t{2});
        QCOMPARE(leaks[0].suspect.owner, std::string("growing!+0x1"));
        QVERIFY(!leaks[0].interval);
        QCOMPARE(leaks[1].suspect.owner, std::string("child!+0x1"));
        QCOMPARE(leaks[1].interval, std::optional(before));
    }
    void memoryThatIsOnlyKeptIsNoLeak() {
        const auto found = foundIn(*traceOfBlocks({{500, 0, 1024 * kKilo, "main;keep"}}));
        QVERIFY(found.surge && found.leaks.empty());
    }
    void withoutGrowthThereIsNothing() {
        QVERIFY(foundIn(*traceOfBlocks({})).isEmpty());
        QVERIFY(foundIn(*traceOfBlocks({{0, 500, 0, "main"}})).isEmpty());
    }
    void pagesThatFewBlocksHoldAreFoundIfTheyAreFourMegabytesAndATenthOfTheMemory() {
        const auto heldOf = [](std::uint64_t pages, std::uint64_t residentPages) {
            HeldTrace held;
            for (std::uint64_t page = 0; page < pages; ++page)
                held.block("main;cache", page, 16, 32);
            return foundIn(*held.sample(residentPages).publish()).held;
        };
        const auto found = heldOf(4 * kMegabytePages, 40 * kMegabytePages);
        QVERIFY(found && found->holders.front().heldPages == ByteCount{4} << 20);
        QVERIFY(!heldOf(4 * kMegabytePages, 41 * kMegabytePages));
        QVERIFY(!heldOf(4 * kMegabytePages - 1, 4 * kMegabytePages));
    }
    void lossesMakeTheBytesBounds() {
        auto trace = *traceOfBlocks({{500, 0, 1024 * kKilo, "main;keep"}});
        QCOMPARE(foundIn(trace).surge->effect, Effect::None);
        trace.health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 3;
        QVERIFY(foundIn(trace).surge->effect != Effect::None);
    }
    void stops() {
        const auto trace = traceOfBlocks({{500, 0, 1024 * kKilo, "main;keep"}});
        FrameLabels labels;
        std::stop_source stop;
        stop.request_stop();
        LeakQuery query;
        query.interval = trace->wholeRange();
        QCOMPARE(findFindings(*trace, labels, query, stop.get_token()).error().kind, ErrorKind::Cancelled);
    }
};

HIGHWATER_TEST(FindingsTest);
#include "findings_test.moc"
