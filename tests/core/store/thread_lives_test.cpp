#include "core/store/thread_lives.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;

namespace {

constexpr std::uint32_t kTid = 8;

/// Threads of one process beside its heap.
class ThreadScript : public EventScript {
  public:
    ThreadScript() { onThread(kTid); }

    /// The names of the allocating threads: "worker, (none)".
    std::string namesOfRows() {
        const auto trace = publish();
        std::string text;
        for (RowId row = 0; row < trace->heap.rows; ++row)
            text += (row == 0 ? "" : ", ") + nameOf(*trace, trace->heap.site(row));
        return text;
    }
    static std::string nameOf(const PublishedTrace& trace, const Site& site) {
        const auto id = trace.threadNameOf(site);
        return id.value == 0 ? "(none)" : std::string(trace.threadNames->text(id));
    }
};

} // namespace

class ThreadLivesTest : public QObject {
    Q_OBJECT
  private slots:
    void aThreadOfWhichNothingIsSaidHasNoName() {
        ThreadScript script;
        script.alloc(0x1000, 1);
        QCOMPARE(script.namesOfRows(), std::string("(none)"));
        QVERIFY(script.publish()->threadNames == nullptr);
    }
    void aNameThatComesAfterAnAllocationIsThatOfItsThread() {
        ThreadScript script;
        script.thread(Occasion::Start).alloc(0x1000, 1);
        script.named("worker").alloc(0x2000, 1);
        QCOMPARE(script.namesOfRows(), std::string("worker, worker"));
    }
    void theLastNameCounts() {
        ThreadScript script;
        script.thread(Occasion::Start, "app").alloc(0x1000, 1);
        script.named("worker").named("loader");
        QCOMPARE(script.namesOfRows(), std::string("loader"));
    }
    void whatNamesNobodyTakesNoNameAway() {
        ThreadScript script;
        script.thread(Occasion::Start).alloc(0x1000, 1);
        script.named("worker").named("").thread(Occasion::RundownEnd);
        QCOMPARE(script.namesOfRows(), std::string("worker"));
    }
    void theNextThreadOfANumberHasANameOfItsOwn() {
        ThreadScript script;
        script.thread(Occasion::Start).named("first").alloc(0x1000, 1).thread(Occasion::End);
        script.thread(Occasion::Start).alloc(0x2000, 1);
        QCOMPARE(script.namesOfRows(), std::string("first, (none)"));
        script.named("second");
        QCOMPARE(script.namesOfRows(), std::string("first, second"));
    }
    void soHasOneWhoseStartOrWhosePredecessorsEndWasLost() {
        ThreadScript withoutEnd;
        withoutEnd.thread(Occasion::Start).named("first").alloc(0x1000, 1);
        withoutEnd.thread(Occasion::Start).named("second").alloc(0x2000, 1);
        QCOMPARE(withoutEnd.namesOfRows(), std::string("first, second"));
        ThreadScript withoutStart;
        withoutStart.thread(Occasion::RundownStart, "first").alloc(0x1000, 1).thread(Occasion::End);
        withoutStart.named("second").alloc(0x2000, 1);
        QCOMPARE(withoutStart.namesOfRows(), std::string("first, second"));
    }
    void soHasOneOfAnotherProcess() {
        ThreadScript script;
        script.thread(Occasion::Start).named("first").alloc(0x1000, 1);
        script.inProcess(200);
        script.named("second").alloc(0x1000, 1);
        QCOMPARE(script.namesOfRows(), std::string("first, second"));
    }
    void whoAllocatesInAnotherProcessHasItsNameThere() {
        ThreadScript script;
        script.thread(Occasion::Start).named("launcher");
        script.inProcess(200).alloc(0x1000, 1); // the record names the memory's process
        QCOMPARE(script.namesOfRows(), std::string("launcher"));
    }
    void aStartThatIsToldTwiceIsOne() {
        ThreadScript script;
        script.thread(Occasion::Start).named("worker").alloc(0x1000, 1);
        script.store.onThread({.time = TraceTime{1}, .pid = script.pid, .tid = kTid, .name = {}});
        script.alloc(0x2000, 1);
        QCOMPARE(script.namesOfRows(), std::string("worker, worker"));
    }
    void theFreeingThreadIsToldFromItsPredecessorsToo() {
        ThreadScript script;
        script.thread(Occasion::Start).named("first").alloc(0x1000, 1).alloc(0x2000, 1).free(0x1000);
        script.thread(Occasion::End).thread(Occasion::Start).named("second").free(0x2000);
        const auto trace = script.publish();
        QCOMPARE(ThreadScript::nameOf(*trace, trace->heap.endSite(0)), std::string("first"));
        QCOMPARE(ThreadScript::nameOf(*trace, trace->heap.endSite(1)), std::string("second"));
    }
    void commitsHaveTheNameOfTheirThread() {
        ThreadScript script;
        script.thread(Occasion::Start).named("first").reserveAndCommit(0x10000, 0x1000);
        script.thread(Occasion::Start).named("second").reserveAndCommit(0x20000, 0x1000);
        const auto trace = script.publish();
        QCOMPARE(ThreadScript::nameOf(*trace, trace->virtualAlloc.site(0)), std::string("first"));
        QCOMPARE(ThreadScript::nameOf(*trace, trace->virtualAlloc.site(1)), std::string("second"));
    }
    void whatWasPublishedKeepsItsNames() {
        ThreadScript script;
        script.thread(Occasion::Start).named("before").alloc(0x1000, 1);
        const auto before = script.publish();
        QVERIFY(script.publish()->threadNames == before->threadNames); // nothing new: not copied again
        script.named("after");
        const auto after = script.publish();
        QCOMPARE(ThreadScript::nameOf(*before, before->heap.site(0)), std::string("before"));
        QCOMPARE(ThreadScript::nameOf(*after, after->heap.site(0)), std::string("after"));
    }
    void threadsOfOneNameShareIt() {
        ThreadNames names;
        QVERIFY(names.isEmpty());
        QVERIFY(names.set(ThreadId{1}, 0, "worker"));
        QVERIFY(names.set(ThreadId{2}, 0, "worker"));
        QVERIFY(!names.set(ThreadId{2}, 0, "worker"));
        QVERIFY(names.of(ThreadId{1}, 0) == names.of(ThreadId{2}, 0));
        QVERIFY(names.of(ThreadId{1}, 1) == ThreadNameId{});
        QVERIFY(names.text(ThreadNameId{}).empty());
        QVERIFY(names.text(ThreadNameId{77}).empty());
    }
    void numbersOfThreadsMayBeAnything() {
        for (const std::uint32_t tid : {0u, 4'194'303u, 4'194'304u, 0xFFFFFFFEu, ThreadId::kUnknown}) {
            ThreadScript script;
            script.onThread(tid);
            script.thread(Occasion::Start).named("first").alloc(0x1000, 1).thread(Occasion::End);
            script.thread(Occasion::Start).named("second").alloc(0x2000, 1);
            QCOMPARE(script.namesOfRows(), std::string("first, second"));
        }
    }
    void afterTooManyLivesTheRestShareOne() {
        ThreadLives lives;
        const auto start = [&](std::int64_t ns, const std::string& name) {
            lives.apply({.time = TraceTime{ns}, .pid = 1, .tid = kTid, .name = name});
        };
        start(1, "first");
        for (std::int64_t ns = 2; ns < 70'000; ++ns)
            start(ns, {});
        start(70'000, "last");
        QCOMPARE(lives.current(ThreadId{kTid}), ThreadLife{0xFFFF});
        QCOMPARE(lives.names().text(lives.names().of(ThreadId{kTid}, 0xFFFF)), std::string_view("last"));
        QCOMPARE(lives.names().text(lives.names().of(ThreadId{kTid}, 0)), std::string_view("first"));
    }
};
HIGHWATER_TEST(ThreadLivesTest);
#include "thread_lives_test.moc"
