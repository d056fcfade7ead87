#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <fmt/format.h>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;

namespace {

SnapshotTaken taken(std::uint32_t number, std::int64_t time, bool hasOwnBlocks = false) {
    return {number, TraceTime{time}, kAllProcesses, SnapshotOrigin::Asked, hasOwnBlocks};
}

/// "1@10 3@20"
std::string snapshotsOf(const PublishedTrace& trace) {
    std::string text;
    if (!trace.snapshots) return text;
    for (const auto& snapshot : *trace.snapshots)
        text += fmt::format("{}{}@{}", text.empty() ? "" : " ", snapshot.number, snapshot.time.ns);
    return text;
}

/// "1: 1000+40 in 10000 of pid 7 by 2 frames; ..."
std::string blocksOf(const PublishedTrace& trace) {
    std::string text;
    for (std::uint64_t i = 0; i < trace.snapshotBlocks; ++i) {
        const auto& block = trace.columns->snapshotBlocks[i];
        const auto& site = trace.columns->heap.sites[block.site];
        const auto& heap = trace.heapOf(site);
        text += fmt::format("{}{}: {:x}+{} in {:x} of pid {} by {} frames", text.empty() ? "" : "; ", block.snapshot,
                            block.address, block.size, heap.handle, (*trace.processes)[heap.process].pid,
                            trace.columns->stacks.node(trace.leaf(site.stack)).depth);
    }
    return text;
}

bool says(const PublishedTrace& trace, const std::string& sentence) {
    for (const auto& note : trace.health.notes)
        if (note == sentence) return true;
    return false;
}

} // namespace

class SnapshotBookTest : public QObject {
    Q_OBJECT

  private slots:
    void numbersAscend() {
        EventScript script;
        QVERIFY(!script.publish()->snapshots);
        // From two files, which both count from 1; then a damaged number.
        for (const auto& snapshot : {taken(0, 1), taken(5, 2), taken(1, 3), taken(2, 4), taken(0xFFFFFFF0, 5)})
            script.store.onSnapshot(snapshot);
        script.now = 10;
        const auto trace = script.publish();
        QCOMPARE(snapshotsOf(*trace), std::string("1@1 5@2 6@3 7@4 8@5"));
        QVERIFY(trace->health.isClean());
        QCOMPARE(script.publish()->snapshots.get(), trace->snapshots.get());
    }

    void whatMakesNoSenseIsLeftOutAndCounted() {
        EventScript script;
        auto unknownOrigin = taken(2, 6);
        unknownOrigin.origin = static_cast<SnapshotOrigin>(9);
        for (const auto& snapshot : {taken(1, 5), taken(1, 5), taken(2, -1), unknownOrigin})
            script.store.onSnapshot(snapshot);
        script.now = 10;
        const auto trace = script.publish();
        QCOMPARE(snapshotsOf(*trace), std::string("1@5"));
        QVERIFY(says(*trace, "3 records of heap snapshots were left out: damaged or duplicate."));
        QVERIFY(!trace->health.totalsAreBounds());
    }

    void lateOnesKeepTheirTimeAndCanBeTakenBack() {
        EventScript script;
        const auto late = [](std::uint32_t number, std::int64_t time) {
            auto snapshot = taken(number, time);
            snapshot.isLate = true;
            return snapshot;
        };
        for (const auto& snapshot : {taken(1, 5), taken(2, 8), late(3, 6), late(3, 6), late(4, 2), late(5, 2)})
            script.store.onSnapshot(snapshot);
        script.now = 10;
        QCOMPARE(snapshotsOf(*script.publish()), std::string("1@5 2@8 3@6 4@2 5@2"));
        QVERIFY(says(*script.publish(), "1 record of a heap snapshot was left out: damaged or duplicate."));
        script.store.onSnapshotUndone(TraceTime{2});
        script.store.onSnapshotUndone(TraceTime{7}); // there is none
        QCOMPARE(snapshotsOf(*script.publish()), std::string("1@5 2@8 3@6 4@2"));
        script.store.onSnapshot(late(5, 7)); // its number is free again
        script.store.onSnapshotUndone(TraceTime{6});
        script.store.onSnapshot(taken(6, 9)); // from another file
        QCOMPARE(snapshotsOf(*script.publish()), std::string("1@5 2@8 4@2 5@7 6@9"));
        for (const std::int64_t time : {2, 5, 7, 8, 9})
            script.store.onSnapshotUndone(TraceTime{time});
        QVERIFY(!script.publish()->snapshots);
    }

    void thereIsAnEndToThem() {
        EventScript script;
        for (std::uint32_t i = 1; i <= 2'000'000; ++i)
            script.store.onSnapshot(taken(i, i, true));
        script.store.onSnapshotBlock({2'000'000, 7, 1, 2, 3, {}, {}});
        script.now = 3'000'000;
        const auto trace = script.publish();
        QCOMPARE(trace->snapshots->size(), kMostSnapshots);
        QVERIFY(says(*trace, "1,999,000 heap snapshots were left out because a trace can have at most 1000."));
        QVERIFY(says(*trace, "1 block of a heap snapshot was left out because the snapshot is unknown or the "
                             "table is full."));
    }

    void blocksBelongToTheirSnapshot() {
        EventScript script;
        script.pid = 7;
        script.process(Occasion::Start);
        const std::array<Address, 2> frames{0x1001, 0x2001};
        SnapshotBlock block{1, 7, 0x10000, 0x5000, 40, ThreadId{3}, {EventStack::Kind::Frames, {}, frames}};
        script.store.onSnapshotBlock(block); // too early
        script.store.onSnapshot(taken(1, 5, true));
        script.store.onSnapshotBlock(block);
        script.store.onSnapshot(taken(1, 6, true)); // from another file: becomes 2
        block.address = 0x6000;
        script.store.onSnapshotBlock(block);
        script.now = 10;
        const auto trace = script.publish();
        QCOMPARE(snapshotsOf(*trace), std::string("1@5 2@6"));
        QCOMPARE(blocksOf(*trace), std::string("1: 5000+40 in 10000 of pid 7 by 2 frames; "
                                               "2: 6000+40 in 10000 of pid 7 by 2 frames"));
        // Their allocations are not in the trace, so they are not rows.
        QCOMPARE(trace->heap.rows, std::uint64_t{0});
    }

    void thoseBeforeTheRetainedRangeAreForgotten() {
        EventScript script;
        for (const auto& snapshot : {taken(1, 5), taken(2, 20), taken(3, 30)})
            script.store.onSnapshot(snapshot);
        script.now = 40;
        QCOMPARE(snapshotsOf(*script.publish()), std::string("1@5 2@20 3@30"));
        script.store.cutBefore(TraceTime{20});
        while (script.store.continueCut(100)) {
        }
        QCOMPARE(snapshotsOf(*script.publish()), std::string("2@20 3@30"));
        script.store.onSnapshot(taken(4, 50));
        script.now = 60;
        QCOMPARE(snapshotsOf(*script.publish()), std::string("2@20 3@30 4@50"));
    }
};

HIGHWATER_TEST(SnapshotBookTest);
#include "snapshot_book_test.moc"
