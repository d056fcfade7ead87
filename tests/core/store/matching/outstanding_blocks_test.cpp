#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;

class OutstandingBlocksTest : public QObject {
    Q_OBJECT
  private slots:
    void pairsAFreeWithItsAllocation() {
        EventScript script;
        script.alloc(0x1000, 0x40).alloc(0x2000, 0x10).free(0x1000);
        COMPARE_TEXT(script.heapRows(), "1000+40 1..3 Free\n2000+10 2..");
        COMPARE_TEXT(script.losses(), "");
    }
    void keepsHeapsAndProcessesApart() {
        EventScript script;
        script.alloc(0x1000, 1).inHeap(0x20000).alloc(0x1000, 2).inProcess(200).alloc(0x1000, 3);
        script.inProcess(EventScript::kPid).free(0x1000);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..\n1000+2 2..4 Free\n1000+3 3..");
    }
    void endsTheOldRowOfAnAddressWhoseFreeWasLost() {
        EventScript script;
        script.alloc(0x1000, 1).alloc(0x1000, 2).free(0x1000);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..2 FreeLost\n1000+2 2..3 Free");
        COMPARE_TEXT(script.losses(), "frees lost 1");
        const auto trace = script.publish();
        QVERIFY(!trace->heap.endSite(0).thread.isKnown());
        QCOMPARE(trace->heap.endSite(1).thread.value, 1u);
        QVERIFY(trace->health.entries()[0].mostBytes == std::uint64_t{1}); // the first one's
    }
    void callsTemporaryWhatItsThreadFreesNext() {
        EventScript script;
        script.alloc(0x1000, 1).free(0x1000).alloc(0x2000, 1).alloc(0x3000, 1).free(0x3000).free(0x2000);
        COMPARE_TEXT(script.temporaryRows(), "0 2");
    }
    void looksAtEachThreadByItself() {
        EventScript script;
        script.onThread(1).alloc(0x1000, 1).onThread(2).alloc(0x2000, 1).onThread(1).free(0x1000);
        script.onThread(3).free(0x2000);
        COMPARE_TEXT(script.temporaryRows(), "0");
    }
    void looksAtAllHeapsOfAThread() {
        EventScript script;
        script.alloc(0x1000, 1).inHeap(0x20000).alloc(0x9000, 1).inHeap(EventScript::kHeap).free(0x1000);
        script.inHeap(0x20000).free(0x9000).alloc(0x9000, 1).free(0x9000);
        COMPARE_TEXT(script.temporaryRows(), "2");
    }
    void takesAReallocForAFree() {
        EventScript script;
        script.alloc(0x1000, 1).realloc(0x1000, 0x2000, 2).realloc(0x2000, 0x2000, 3).free(0x2000);
        COMPARE_TEXT(script.temporaryRows(), "0 1 2");
    }
    void doesNotCallTemporaryWhatNobodyFreed() {
        EventScript script;
        script.alloc(0x1000, 1).alloc(0x1000, 2).create().alloc(0x2000, 1).destroy().alloc(0x3000, 1);
        COMPARE_TEXT(script.temporaryRows(), "");
    }
    void whatFailedAndEchoesAreNothingThatAThreadDid() {
        EventScript script;
        script.alloc(0x1000, 1).alloc(0, 1).free(0).realloc(0x1000, 0, 9).create().free(0x1000);
        script.alloc(0x2000, 1).realloc(0x2000, 0x3000, 2).alloc(0x3000, 2).free(0x2000).free(0x3000);
        COMPARE_TEXT(script.temporaryRows(), "0 1 2");
    }
    void aFreeOfAnUnknownBlockIsSomethingThatAThreadDid() {
        EventScript script;
        script.alloc(0x1000, 1).free(0x7000).free(0x1000);
        COMPARE_TEXT(script.temporaryRows(), "");
    }
    void theNextThreadOfANumberIsAnother() {
        EventScript script;
        script.thread(Occasion::Start).alloc(0x1000, 1).thread(Occasion::End);
        script.thread(Occasion::Start).free(0x1000).alloc(0x2000, 1).free(0x2000);
        COMPARE_TEXT(script.temporaryRows(), "1");
    }
    void knowsThreadsOfLargeNumbers() {
        EventScript script;
        script.onThread(0x8000'0000).alloc(0x1000, 1).onThread(0x8000'0001).alloc(0x2000, 1);
        script.onThread(0x8000'0000).free(0x1000).onThread(ThreadId::kUnknown).alloc(0x3000, 1).free(0x3000);
        script.onThread(0x8000'0001).free(0x2000);
        COMPARE_TEXT(script.temporaryRows(), "0 1");
    }
    void saysNothingOfWhatWasCarriedOver() {
        EventScript script;
        script.store.onRetainedRange({.start = TraceTime{2}, .heap = {}, .virtualAlloc = {}});
        script.alloc(0x1000, 1).free(0x1000).alloc(0x1000, 1).free(0x1000);
        COMPARE_TEXT(script.temporaryRows(), "1");
    }
    void knowsWhatWasBegunLastUnderItsNewNumber() {
        EventScript script;
        script.alloc(0x1000, 1).free(0x1000).onThread(2).alloc(0x2000, 1).onThread(1).alloc(0x3000, 1);
        (void)script.publish();
        script.store.cutBefore(TraceTime{script.now});
        while (script.store.continueCut(100)) {
        }
        script.onThread(2).free(0x2000).onThread(1).free(0x3000);
        COMPARE_TEXT(script.heapRows(), "2000+1 3..5 Free\n3000+1 4..6 Free");
        COMPARE_TEXT(script.temporaryRows(), "0 1");
    }
    void listsFreesOfUnknownBlocksAndSubtractsNothing() {
        EventScript script;
        script.alloc(0x1000, 1).free(0x1000).free(0x1000).inHeap(0x20000).free(0x3000);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..2 Free");
        COMPARE_TEXT(script.losses(), "unmatched frees 2");
        const auto trace = script.publish();
        QCOMPARE(trace->heap.unmatchedFrees, 2u);
        const auto& free = trace->columns->heap.unmatchedFrees[1];
        QCOMPARE(free.address, Address{0x3000});
        QCOMPARE(free.time, TraceTime{4});
        QCOMPARE(trace->heapOf(trace->columns->heap.endSites[free.endSite]).handle, Address{0x20000});
    }
    void passesOverFailedAllocations() {
        EventScript script;
        script.alloc(0, 1).alloc(0, 2).free(0);
        COMPARE_TEXT(script.heapRows(), "");
        COMPARE_TEXT(script.losses(), "");
    }
    void endsTheBlocksOfADestroyedHeap() {
        EventScript script;
        script.create().alloc(0x1000, 1).alloc(0x2000, 2).free(0x2000).inHeap(0x20000).alloc(0x1000, 3);
        script.inHeap(EventScript::kHeap).destroy().free(0x1000).alloc(0x1000, 4).destroy();
        COMPARE_TEXT(script.heapRows(),
                     "1000+1 2..6 HeapDestroy\n2000+2 3..4 Free\n1000+3 5..\n1000+4 8..9 HeapDestroy");
        COMPARE_TEXT(script.losses(), "unmatched frees 1");
    }
    void countsDestroyedHeapsThatWereNotSeen() {
        EventScript script;
        script.destroy().create().destroy().destroy();
        COMPARE_TEXT(script.losses(), "unknown heaps destroyed 2");
    }
    void endsNothingWhenTheProcessExits() {
        EventScript script;
        script.process(Occasion::Start).alloc(0x1000, 1).process(Occasion::End);
        COMPARE_TEXT(script.heapRows(), "1000+1 2..");
        script.process(Occasion::Start).alloc(0x1000, 2).free(0x1000).free(0x1000);
        COMPARE_TEXT(script.heapRows(), "1000+1 2..\n1000+2 5..6 Free");
        COMPARE_TEXT(script.losses(), "unmatched frees 1");
    }
    void movesABlockByARealloc() {
        EventScript script;
        script.alloc(0x1000, 1).realloc(0x1000, 0x2000, 2).free(0x2000);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..2 ReAlloc\n2000+2 2..3 Free realloc");
        COMPARE_TEXT(script.losses(), "");
    }
    void changesNothingByAFailedRealloc() {
        EventScript script;
        script.alloc(0x1000, 1).realloc(0x1000, 0, 2);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..");
    }
    void beginsANewRowByAReallocInPlace() {
        EventScript script;
        script.alloc(0x1000, 1).realloc(0x1000, 0x1000, 2).free(0x1000);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..2 ReAlloc\n1000+2 2..3 Free realloc");
        COMPARE_TEXT(script.losses(), "");
    }
    void countsReallocsOfUnknownBlocks() {
        EventScript script;
        script.realloc(0x1000, 0x1000, 2).realloc(0x3000, 0x4000, 3);
        COMPARE_TEXT(script.heapRows(), "1000+2 1.. realloc\n4000+3 2.. realloc");
        COMPARE_TEXT(script.losses(), "reallocs of unknown blocks 2");
    }
    void takesEchoesOfAReallocInAnyOrder() {
        for (const auto* order : {"R", "RA", "RF", "AR", "FR", "ARF", "AFR", "FAR", "FRA", "RAF", "RFA"}) {
            EventScript script;
            script.alloc(0x1000, 1);
            for (const auto* step = order; *step != 0; ++step) {
                // Other threads and heaps do not interfere.
                script.onThread(2).alloc(0x9000, 9).free(0x9000).onThread(1);
                if (*step == 'A') script.alloc(0x2000, 2);
                if (*step == 'F') script.free(0x1000);
                if (*step == 'R') script.realloc(0x1000, 0x2000, 2);
            }
            script.free(0x2000);
            QVERIFY2(script.losses().empty(), order);
            const auto trace = script.publish();
            int moved = 0;
            for (RowId row = 0; row < trace->heap.rows; ++row) {
                const auto text = EventScript::describeRow(trace->heap, row);
                QVERIFY2(trace->heap.end(row) != kNever, order);
                if (text.starts_with("9000")) continue;
                ++moved;
                QCOMPARE(text.ends_with("realloc"), text.starts_with("2000"));
            }
            QVERIFY2(moved == 2, order);
        }
    }
    void waitsForEchoesAmongTheNextTwoEventsOfTheThreadOnly() {
        EventScript script;
        script.alloc(0x1000, 1).realloc(0x1000, 0x2000, 2).alloc(0x5000, 1).free(0x1000);
        COMPARE_TEXT(script.losses(), "unmatched frees 1");
        EventScript other;
        other.alloc(0x1000, 1).realloc(0x1000, 0x2000, 2).alloc(0x2000, 3); // not the size of the realloc
        COMPARE_TEXT(other.losses(), "frees lost 1");
    }
    void marksANewBlockOnlyOfTheSameThreadAndSize() {
        EventScript script;
        script.alloc(0x1000, 1).onThread(2).alloc(0x2000, 2).onThread(1).realloc(0x1000, 0x2000, 2);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..3 ReAlloc\n2000+2 2..3 FreeLost\n2000+2 3.. realloc");
        COMPARE_TEXT(script.losses(), "frees lost 1");
    }
};
HIGHWATER_TEST(OutstandingBlocksTest);
#include "outstanding_blocks_test.moc"
