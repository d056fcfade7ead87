#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;

class CommittedPagesTest : public QObject {
    Q_OBJECT
  private slots:
    void makesARowPerCallThatAddsPages() {
        EventScript script;
        script.reserve(0x10000, 0x10000).commit(0x10000, 0x2000).commit(0x11000, 0x2000).commit(0x10000, 0x3000);
        COMPARE_TEXT(script.commitRows(), "10000+2000 2..\n11000+1000 3..");
        COMPARE_TEXT(script.losses(), "");
    }
    void widensToPages() {
        EventScript script;
        script.commit(0x10FFF, 2).decommit(0x11FFF, 1);
        COMPARE_TEXT(script.commitRows(), "10fff+2000 1.. (-1000@2 Decommit)");
    }
    void endsARowWhenItsLastPageGoes() {
        EventScript script;
        script.commit(0x10000, 0x3000).decommit(0x11000, 0x1000).commit(0x11000, 0x1000).decommit(0x10000, 0x3000);
        COMPARE_TEXT(script.commitRows(), "10000+3000 1..4 Decommit (-1000@2 Decommit)(-2000@4 Decommit)\n"
                                          "11000+1000 3..4 Decommit");
        COMPARE_TEXT(script.losses(), "");
    }
    void releasesAWholeReservation() {
        EventScript script;
        script.reserve(0x10000, 0x10000).commit(0x10000, 0x1000).commit(0x15000, 0x1000).commit(0x20000, 0x1000);
        script.release(0x10000).reserve(0x30000, 0x10000).release(0x30000);
        COMPARE_TEXT(script.commitRows(), "10000+1000 2..5 Release\n15000+1000 3..5 Release\n20000+1000 4..");
        COMPARE_TEXT(script.losses(), "");
    }
    void releasesPartOfAReservation() {
        EventScript script;
        script.reserveAndCommit(0x10000, 0x4000).release(0x10000, 0x1000).release(0x12000, 0x1000).release(0x11000);
        COMPARE_TEXT(script.commitRows(), "10000+4000 1.. (-1000@2 Release)(-1000@3 Release)(-1000@4 Release)");
        script.release(0x13000);
        COMPARE_TEXT(script.losses(), "");
        QCOMPARE(script.publish()->virtualAlloc.end(0), TraceTime{5});
    }
    void releasesAnUnknownReservationUpToTheNextKnownRegion() {
        EventScript script;
        script.commit(0x10000, 0x2000).commit(0x12000, 0x1000).commit(0x14000, 0x1000).release(0x10000);
        COMPARE_TEXT(script.commitRows(), "10000+2000 1..4 Release\n12000+1000 2..4 Release\n14000+1000 3..");
        COMPARE_TEXT(script.losses(), "unknown reservations released 1");
        EventScript next;
        next.commit(0x10000, 0x10000).reserveAndCommit(0x20000, 0x1000).release(0x10000);
        COMPARE_TEXT(next.commitRows(), "10000+10000 1..3 Release\n20000+1000 2..");
    }
    void countsReleasesOfWhatWasNeverSeen() {
        EventScript script;
        script.release(0x10000).release(0x20000, 0x1000);
        COMPARE_TEXT(script.losses(), "unknown reservations released 2");
    }
    void decommitsAWholeReservation() {
        EventScript script;
        script.reserve(0x10000, 0x4000)
            .commit(0x11000, 0x1000)
            .decommit(0x10000, 0)
            .commit(0x11000, 0x1000)
            .release(0x10000);
        COMPARE_TEXT(script.commitRows(), "11000+1000 2..3 Decommit\n11000+1000 4..5 Release");
        COMPARE_TEXT(script.losses(), "");
    }
    void listsDecommitsOfUnknownPages() {
        EventScript script;
        script.commit(0x11000, 0x1000).decommit(0x10000, 0x4000);
        COMPARE_TEXT(script.commitRows(), "11000+1000 1..2 Decommit");
        COMPARE_TEXT(script.losses(), "decommits of unknown pages 1");
        const auto trace = script.publish();
        QCOMPARE(trace->virtualAlloc.unmatchedFrees, 1u);
        QCOMPARE(trace->columns->virtualAlloc.unmatchedFrees[0].bytes, ByteCount{0x3000});
        QCOMPARE(trace->columns->virtualAlloc.unmatchedFrees[0].address, Address{0x10000});
    }
    void changesNothingByReset() {
        EventScript script;
        script.commit(0x10000, 0x1000)
            .virtualEvent(MemoryOperation::VirtualAlloc, virtual_flag::kReset, 0x10000, 0x1000);
        script.virtualEvent(MemoryOperation::VirtualAlloc, virtual_flag::kReset, 0x20000, 0x1000);
        COMPARE_TEXT(script.commitRows(), "10000+1000 1..");
    }
    void takesCommittedPagesFromARundown() {
        EventScript script;
        script.rundown(0x10000, 0x10000, 0x3000).commit(0x12000, 0x2000).decommit(0x10000, 0x1000).release(0x10000);
        COMPARE_TEXT(script.commitRows(), "10000+3000 old..4 Release (-1000@3 Decommit)(-2000@4 Release)\n"
                                          "12000+1000 2..4 Release");
        COMPARE_TEXT(script.losses(), "");
        const auto view = script.publish()->virtualAlloc;
        QCOMPARE(view.olderRows, 1u);
        QCOMPARE(view.olderBytes, SignedByteCount{0x3000});
    }
    void addsNothingByARundownOfWhatIsKnown() {
        EventScript script;
        script.reserve(0x10000, 0x8000).commit(0x14000, 0x2000).rundown(0x10000, 0x8000, 0x2000);
        COMPARE_TEXT(script.commitRows(), "14000+2000 2..");
        script.rundown(0x10000, 0x8000, 0x3000);
        COMPARE_TEXT(script.commitRows(), "14000+2000 2..\n10000+1000 old..");
    }
    void takesTheWholeRegionWhenTheRundownDoesNotSay() {
        EventScript script;
        script.rundown(0x10000, 0x2000, 0).rundown(0x20000, 0x2000, 0x3000);
        COMPARE_TEXT(script.commitRows(), "10000+2000 old..\n20000+2000 old..");
    }
    void endsEverythingWhenTheProcessExits() {
        EventScript script;
        script.process(Occasion::Start).commit(0x10000, 0x2000).decommit(0x10000, 0x1000).commit(0x40000, 0x1000);
        script.inProcess(200).commit(0x10000, 0x1000).inProcess(EventScript::kPid).process(Occasion::End);
        COMPARE_TEXT(script.commitRows(), "10000+2000 2..6 ProcessExit (-1000@3 Decommit)(-1000@6 ProcessExit)\n"
                                          "40000+1000 4..6 ProcessExit\n10000+1000 5..");
        const auto trace = script.publish();
        QVERIFY(!trace->virtualAlloc.endSite(1).thread.isKnown());
        QCOMPARE(trace->virtualAlloc.endSite(1).stack, StackId{0});
        QCOMPARE(trace->heapOf(trace->virtualAlloc.endSite(1)).process,
                 trace->heapOf(trace->virtualAlloc.site(1)).process);
    }
    void endsEverythingWhenThePidIsUsedAgain() {
        EventScript script;
        script.process(Occasion::Start)
            .commit(0x10000, 0x1000)
            .process(Occasion::Start, "b.exe")
            .commit(0x10000, 0x1000);
        COMPARE_TEXT(script.commitRows(), "10000+1000 2..3 ProcessExit\n10000+1000 4..");
        const auto trace = script.publish();
        QVERIFY(trace->heapOf(trace->virtualAlloc.site(0)).process !=
                trace->heapOf(trace->virtualAlloc.site(1)).process);
    }
    void survivesTheEdgesOfTheAddressSpace() {
        constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
        EventScript script;
        script.commit(0, kMax)
            .commit(kMax, kMax)
            .commit(kMax - 0xFFF, 0x1000)
            .decommit(0x1000, kMax)
            .rundown(kMax - 5, 3, kMax);
        script.commit(kMax - 0x2000, 0x1000).release(0, kMax).release(kMax).decommit(kMax, 0).decommit(kMax, 1);
        const auto trace = script.publish();
        QCOMPARE(trace->virtualAlloc.rows, 2u);
        QVERIFY(trace->virtualAlloc.end(0) != kNever);
        QVERIFY(trace->virtualAlloc.end(1) != kNever);
    }
};
HIGHWATER_TEST(CommittedPagesTest);
#include "committed_pages_test.moc"
