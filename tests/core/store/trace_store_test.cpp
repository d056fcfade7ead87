#include "core/base/background_release.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <atomic>
#include <random>
#include <thread>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;

namespace {

class Digest {
  public:
    void add(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001B3ull + (hash_ >> 29); }
    void add(TraceTime time) { add(static_cast<std::uint64_t>(time.ns)); }
    [[nodiscard]] std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 14695981039346656037ull;
};

void addRows(Digest& digest, const PublishedTrace& trace, const TableView& view) {
    for (RowId row = 0; row < view.rows; ++row) {
        if (view.begin(row) >= view.horizon) continue;
        digest.add(view.begin(row));
        digest.add(view.columns->rows.address(row));
        digest.add(view.size(row));
        digest.add(trace.leaf(view.site(row).stack).value);
        digest.add(trace.heapOf(view.site(row)).handle);
        digest.add(view.end(row));
        if (view.end(row) == kNever) continue;
        digest.add(trace.leaf(view.endSite(row).stack).value);
        digest.add(view.endSite(row).kind);
    }
    for (std::uint64_t span = 0; span * AllocationTable::kSpanRows < view.rows; ++span) {
        const TimeRange late{TraceTime{view.horizon.ns - 10}, view.horizon};
        if (!view.columns->rows.spanIsOutside(span, late)) continue;
        const auto last = std::min(view.rows, (span + 1) * AllocationTable::kSpanRows);
        for (auto row = span * AllocationTable::kSpanRows; row < last; ++row) {
            if (view.end(static_cast<RowId>(row)) >= late.start) digest.add(0xBAD);
        }
    }
}

void addTable(Digest& digest, const PublishedTrace& trace, TableKind kind) {
    const auto& view = trace.table(kind);
    addRows(digest, trace, view);
    for (std::uint64_t i = 0; i < view.partials; ++i) {
        const auto& part = view.columns->rows.partials()[i];
        if (part.time < view.horizon) digest.add(part.row + part.bytes);
    }
    for (std::uint64_t i = 0; i < view.unmatchedFrees; ++i)
        digest.add(view.columns->unmatchedFrees[i].address);
    for (std::uint64_t i = 0; i < view.reallocMarks; ++i)
        digest.add(view.columns->rows.reallocMarks()[i]);
    for (std::uint64_t i = 0; i < view.olderRows; ++i)
        digest.add(view.columns->rows.olderRows()[i]);
    const auto& order = view.columns->rows.order();
    for (std::uint64_t i = 0; i < view.events; ++i)
        digest.add(order.bits(i / 64) >> (i % 64) & 1);
    for (std::uint64_t i = 0; i < view.events / 64; ++i)
        digest.add(static_cast<std::uint64_t>(order.peaks(0)[i]));
    for (std::uint64_t i = 0; i * 64 < view.events; ++i)
        digest.add(order.blocks()[i].firstEnd);
}

std::uint64_t digestOf(const PublishedTrace& trace) {
    Digest digest;
    addTable(digest, trace, TableKind::Heap);
    addTable(digest, trace, TableKind::VirtualAlloc);
    for (const auto& process : trace.processes->processes())
        digest.add(process.pid + process.name.size());
    for (const auto count : trace.health.counts)
        digest.add(count);
    for (std::uint32_t i = 0; i < trace.nodeCount; ++i)
        digest.add(trace.columns->stacks.node(FrameNodeId{i}).address);
    return digest.value();
}

/// Outstanding bytes at the horizon by rows and partial releases, and by the level after the last event.
bool levelsAgree(const TableView& view) {
    const auto& table = view.columns->rows;
    SignedByteCount byRows = 0;
    for (RowId row = 0; row < view.rows; ++row) {
        if (view.end(row) == kNever) byRows += static_cast<SignedByteCount>(view.size(row));
    }
    for (std::uint64_t i = 0; i < view.partials; ++i) {
        if (view.end(table.partials()[i].row) == kNever)
            byRows -= static_cast<SignedByteCount>(table.partials()[i].bytes);
    }
    if (view.events == 0) return byRows == view.olderBytes;
    const auto block = (view.events - 1) / 64;
    const auto& last = table.order().blocks()[block];
    auto level = last.levelBefore + view.olderBytes;
    auto row = last.firstRow;
    auto end = last.firstEnd;
    for (std::uint64_t i = block * 64; i < view.events; ++i) {
        if ((table.order().bits(block) >> (i % 64) & 1) != 0) {
            while (view.begin(row) == kBeforeTrace)
                ++row;
            level += static_cast<SignedByteCount>(view.size(row++));
            continue;
        }
        const auto entry = table.order().ends()[end++];
        const bool isPart = (entry & EventOrder::kPartial) != 0;
        level -= static_cast<SignedByteCount>(isPart ? table.partials()[entry & ~EventOrder::kPartial].bytes
                                                     : view.size(entry));
    }
    return level == byRows;
}

/// The data of the rows that begin, live or end at or after `start`, whatever their numbers are.
std::string rowsSince(const PublishedTrace& trace, TableKind kind, TraceTime start) {
    const auto& view = trace.table(kind);
    std::string text;
    for (RowId row = 0; row < view.rows; ++row) {
        if (view.end(row) < start) continue;
        const auto& leaf = trace.columns->stacks.node(trace.leaf(view.site(row).stack));
        text +=
            EventScript::describeRow(view, row) + " by " + tests::hex(leaf.address) + "/" + std::to_string(leaf.depth);
        text += " in " + std::to_string(view.site(row).heap.value) + "\n";
    }
    for (std::uint64_t i = 0; i < view.unmatchedFrees; ++i) {
        const auto& unmatched = view.columns->unmatchedFrees[i];
        if (unmatched.time >= start) text += "unmatched " + std::to_string(unmatched.time.ns) + "\n";
    }
    return text;
}

/// Any possible event, of several processes, threads and stacks.
void randomStep(EventScript& script, std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    Address frames[8];
    for (auto& frame : frames)
        frame = 0x7000 + below(6) * 0x10;
    script.stack = {};
    if (below(8) != 0) script.stack = {EventStack::Kind::Frames, {}, std::span<const Address>(frames, 1 + below(8))};
    if (below(8) == 0) script.stack = {EventStack::Kind::Pending, PendingStackId{below(200)}, {}};
    script.inProcess(100 + below(3)).inHeap(0x10000 * (1 + below(2))).onThread(below(3));
    const Address block = 0x1000 + below(3000) * 0x10;
    const Address pages = 0x100000 + below(64) * 0x1000;
    const ByteCount size = below(50) == 0 ? 0x1'0000'0000 + below(10) : 1 + below(2000);
    switch (below(24)) {
    default:
        script.alloc(block, size);
        break;
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
        script.free(block);
        break;
    case 16:
        script.realloc(0x1000 + below(3000) * 0x10, block, size);
        break;
    case 17:
        if (below(200) == 0) script.destroy();
        break;
    case 18:
        script.commit(pages, 0x1000 + below(0x8000));
        break;
    case 19:
        script.decommit(pages, 0x1000 + below(0x8000));
        break;
    case 20:
        script.reserveAndCommit(pages, 0x8000);
        break;
    case 21:
        script.release(pages);
        break;
    case 22:
        if (below(20) == 0) script.rundown(pages, 0x8000, 0x2000);
        break;
    case 23:
        script.store.onPendingStackDefined(PendingStackId{below(200)}, frames);
        if (below(100) == 0) script.process(below(2) == 0 ? Occasion::Start : Occasion::End);
        break;
    }
}

} // namespace

class TraceStoreTest : public QObject {
    Q_OBJECT
  private slots:
    void publishesFromTheStart() {
        TraceHealth health;
        TraceStore store(health);
        const auto trace = store.latest();
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->heap.rows, 0u);
        QCOMPARE(trace->virtualAlloc.rows, 0u);
        QVERIFY(trace->wholeRange().isEmpty());
        QVERIFY(trace->health.isClean());
    }
    void itsColumnsAreFreedOnAnotherThread() {
        TraceHealth health;
        TraceStore store(health);
        QVERIFY(std::get_deleter<BackgroundDelete>(store.publish()->columns) != nullptr);
    }
    void hidesWhatHappensAfterItsHorizon() {
        EventScript script;
        script.alloc(0x1000, 1);
        const auto before = script.publish();
        script.free(0x1000).alloc(0x2000, 2);
        QCOMPARE(before->heap.rows, 1u);
        QCOMPARE(before->heap.end(0), kNever);
        const auto after = script.publish();
        QCOMPARE(after->heap.rows, 2u);
        QCOMPARE(after->heap.end(0), TraceTime{2});
        QCOMPARE(script.store.latest(), after);
        QCOMPARE(after->number, before->number + 1);
        QCOMPARE(after->processes, before->processes); // not copied again without a change
    }
    void outlivesItsStore() {
        std::shared_ptr<const PublishedTrace> trace;
        {
            EventScript script;
            trace = script.process(Occasion::Start).alloc(0x1000, 7).publish();
        }
        QCOMPARE(trace->heap.size(0), ByteCount{7});
        QCOMPARE(trace->processes->key(ProcessIndex{0}), std::string("a.exe (100)"));
    }
    void namesProcessesByARundownAtTheEnd() {
        EventScript script;
        script.alloc(0x1000, 1).commit(0x10000, 0x1000).inProcess(200).alloc(0x1000, 1);
        QCOMPARE(script.losses(Loss::ProcessesUnknown), 2u);
        ImageEvent image;
        image.occasion = Occasion::RundownEnd;
        image.pid = 200;
        image.base = 0x7000;
        image.size = 0x1000;
        image.path = "\\Device\\HarddiskVolume1\\b.dll";
        script.store.onImage(image);
        script.process(Occasion::RundownEnd, "b.exe");
        const auto trace = script.publish();
        QCOMPARE(trace->health[Loss::ProcessesUnknown], 1u);
        const auto process = trace->heapOf(trace->heap.site(1)).process;
        QCOMPARE(trace->processes->key(process), std::string("b.exe (200)"));
        const auto* found = trace->processes->findImage(StackRoot{process, 0}, 0x7800);
        QVERIFY(found != nullptr);
        QCOMPARE(trace->processes->module(found->module).name, std::string("b.dll"));
    }
    void keepsInstancesOfAReusedPidApart() {
        EventScript script;
        script.process(Occasion::Start, "a.exe").alloc(0x1000, 1).process(Occasion::End, "a.exe");
        script.process(Occasion::Start, "b.exe").alloc(0x1000, 2).free(0x1000);
        COMPARE_TEXT(script.heapRows(), "1000+1 2..\n1000+2 5..6 Free");
        const auto trace = script.publish();
        const auto keyOf = [&](RowId row) {
            return trace->processes->key(trace->heapOf(trace->heap.site(row)).process);
        };
        QCOMPARE(keyOf(0).substr(0, 11), std::string("a.exe (100)"));
        QCOMPARE(keyOf(1).substr(0, 11), std::string("b.exe (100)"));
        QCOMPARE(trace->health[Loss::ProcessesUnknown], 0u);
    }
    void findsKernelImagesBelowTheSignBitOn32BitSystems() {
        EventScript script;
        ImageEvent image;
        image.occasion = Occasion::RundownStart;
        image.pid = 0;
        image.base = 0x82000000;
        image.size = 0x1000;
        image.path = "ntoskrnl.exe";
        script.store.onImage(image);
        image.pid = EventScript::kPid;
        image.base = 0x7000;
        image.path = "a.dll";
        script.store.onImage(image);
        const auto trace = script.publish();
        const StackRoot root{ProcessIndex{1}, 0};
        const auto& processes = *trace->processes;
        QVERIFY(processes.findImage(root, 0x82000800) != nullptr);
        QCOMPARE(processes.module(processes.findImage(root, 0x82000800)->module).name, std::string("ntoskrnl.exe"));
        QCOMPARE(processes.module(processes.findImage(root, 0x7800)->module).name, std::string("a.dll"));
        QCOMPARE(processes.findImage(root, 0x9000), nullptr);
    }
    void givesStacksOfAReplacedImageAnotherRoot() {
        EventScript script;
        const Address frames[] = {0x7800};
        script.stack = {EventStack::Kind::Frames, {}, frames};
        ImageEvent image;
        image.pid = EventScript::kPid;
        image.base = 0x7000;
        image.size = 0x1000;
        image.path = "a.dll";
        script.store.onImage(image);
        script.alloc(0x1000, 1);
        image.path = "b.dll";
        script.store.onImage(image);
        script.alloc(0x2000, 1);
        const auto trace = script.publish();
        const auto moduleOf = [&](RowId row) {
            const auto& leaf = trace->columns->stacks.node(trace->leaf(trace->heap.site(row).stack));
            const auto root = unpackRoot(trace->columns->stacks.node(leaf.parent));
            const auto* found = trace->processes->findImage(root, leaf.address);
            return found == nullptr ? std::string() : trace->processes->module(found->module).name;
        };
        QCOMPARE(moduleOf(0), std::string("a.dll"));
        QCOMPARE(moduleOf(1), std::string("b.dll"));
    }
    void fillsInStacksThatWerePromised() {
        EventScript script;
        const Address frames[] = {0x7010, 0x7000};
        script.stack = {EventStack::Kind::Pending, PendingStackId{3}, {}};
        script.alloc(0x1000, 1);
        const auto before = script.publish();
        script.store.onPendingStackDefined(PendingStackId{3}, frames);
        QCOMPARE(before->leaf(before->heap.site(0).stack), FrameNodeId{0});
        const auto after = script.publish();
        QCOMPARE(after->columns->stacks.node(after->leaf(after->heap.site(0).stack)).address, Address{0x7010});
    }
    void agreesOnLevelsByRowsAndByEvents() {
        for (unsigned seed = 0; seed < 50; ++seed) {
            std::mt19937 random(seed);
            EventScript script;
            for (int i = 0; i < 2000; ++i)
                randomStep(script, random);
            const auto trace = script.publish();
            QVERIFY2(levelsAgree(trace->heap), std::to_string(seed).c_str());
            QVERIFY2(levelsAgree(trace->virtualAlloc), std::to_string(seed).c_str());
        }
    }
    void letsGoOfWhatEndedBeforeTheWindow() {
        EventScript script;
        script.alloc(0x1000, 1).alloc(0x2000, 2).alloc(0x3000, 3).free(0x2000).alloc(0x4000, 4).free(0x3000);
        const auto whole = script.publish();
        QCOMPARE(whole->wholeRange().start, TraceTime{0});
        QVERIFY(!whole->isTrimmed());
        script.store.cutBefore(TraceTime{5});
        QVERIFY(script.store.isCutting());
        QCOMPARE(script.publish()->heap.rows, 4u); // not before it is done
        QVERIFY(!script.store.continueCut(100));
        COMPARE_TEXT(script.heapRows(), "1000+1 1..\n3000+3 3..6 Free\n4000+4 5..");
        const auto window = script.publish();
        QVERIFY(window->isTrimmed());
        QCOMPARE(window->wholeRange(), (TimeRange{TraceTime{5}, TraceTime{7}}));
        QCOMPARE(window->heap.evicted.rows, 1u);
        QCOMPARE(window->heap.evicted.bytes, ByteCount{2});
        QVERIFY(whole->health.notes.empty());
        QCOMPARE(window->health.notes.size(), 1u);
        QVERIFY(!window->health.totalsAreBounds());
        // The oldest is still known when it is freed at last, and its number is free.
        script.free(0x1000).alloc(0x1000, 9);
        COMPARE_TEXT(script.heapRows(), "1000+1 1..7 Free\n3000+3 3..6 Free\n4000+4 5..\n1000+9 8..");
        COMPARE_TEXT(script.losses(), "");
        QCOMPARE(whole->heap.rows, 4u); // holders of the whole trace keep it
        QCOMPARE(whole->heap.end(1), TraceTime{4});
    }
    void cutsOnlyForwardAndUpToTheTimeReached() {
        EventScript script;
        script.alloc(0x1000, 1).free(0x1000).alloc(0x2000, 1);
        (void)script.publish();
        script.store.cutBefore(TraceTime{100});
        QVERIFY(!script.store.isCutting());
        script.store.cutBefore(TraceTime{3});
        QVERIFY(script.store.isCutting());
        QVERIFY(!script.store.continueCut(100));
        script.store.cutBefore(TraceTime{3});
        QVERIFY(!script.store.isCutting());
        QVERIFY(!script.store.continueCut(100));
    }
    void cutsCommitsThatWereReleasedInParts() {
        EventScript script;
        script.reserveAndCommit(0x10000, 0x3000).decommit(0x10000, 0x1000).commit(0x50000, 0x1000);
        script.decommit(0x50000, 0x1000).commit(0x60000, 0x1000);
        (void)script.publish();
        script.store.cutBefore(TraceTime{5});
        QVERIFY(!script.store.continueCut(100));
        script.release(0x10000).decommit(0x60000, 0x1000);
        COMPARE_TEXT(script.commitRows(), "10000+3000 1..6 Release (-1000@2 Decommit)(-2000@6 Release)\n"
                                          "60000+1000 5..7 Decommit");
    }
    void notesWhatIsCommittedAtATime() {
        EventScript script;
        script.reserveAndCommit(0x10000, 0x3000).decommit(0x11000, 0x1000).commit(0x50000, 0x1000);
        script.store.notePagesAt(TraceTime{4});
        QVERIFY(!script.store.notedPages());
        script.commit(0x60000, 0x1000).release(0x10000);
        const auto noted = script.store.notedPages();
        QVERIFY(noted);
        QCOMPARE(noted->time, TraceTime{4});
        QCOMPARE(noted->commits.size(), 3u);
        QCOMPARE(noted->commits[0].pages, (PageRange{0x10, 0x11}));
        QCOMPARE(noted->commits[1].pages, (PageRange{0x12, 0x13}));
        QCOMPARE(noted->commits[1].begin, TraceTime{1});
        QCOMPARE(noted->commits[2].pages, (PageRange{0x50, 0x51}));
        QCOMPARE(noted->reservations.size(), 1u);
        QCOMPARE(noted->reservations[0].pages, (PageRange{0x10, 0x13}));
        script.store.notePagesAt(TraceTime{script.now + 1});
        QVERIFY(!script.store.notedPages());
        (void)script.publish(); // no events, but time advances
        QVERIFY(script.store.notedPages());
    }
    /// The same events into two stores, one of which discards its oldest part again and again.
    void cutsWhileEventsCome() {
        for (unsigned seed = 0; seed < 60; ++seed) {
            std::mt19937 random(seed);
            std::mt19937 same(seed);
            std::mt19937 cuts(seed + 1000);
            EventScript whole;
            EventScript window;
            for (int i = 0; i < 3000; ++i) {
                randomStep(whole, random);
                randomStep(window, same);
                if (cuts() % 4 == 0) (void)window.store.continueCut(cuts() % 40);
                if (cuts() % 100 != 0) continue;
                (void)window.publish();
                window.store.cutBefore(TraceTime{window.now - static_cast<std::int64_t>(cuts() % 500)});
            }
            while (window.store.continueCut(17)) {
            }
            const auto all = whole.publish();
            const auto kept = window.publish();
            const auto start = kept->wholeRange().start;
            for (const auto kind : {TableKind::Heap, TableKind::VirtualAlloc}) {
                QVERIFY2(levelsAgree(kept->table(kind)), std::to_string(seed).c_str());
                const auto name = QString::number(seed).toUtf8();
                QVERIFY2(rowsSince(*kept, kind, start) == rowsSince(*all, kind, start), name.constData());
                const auto& evicted = kept->table(kind).evicted;
                QCOMPARE(kept->table(kind).rows + evicted.rows, all->table(kind).rows);
            }
            QVERIFY(kept->heap.rows < all->heap.rows);
            QCOMPARE(kept->health.counts, all->health.counts);
        }
    }
    void neverChangesAPublishedPrefix() {
        EventScript script;
        std::atomic<bool> done = false;
        std::atomic<int> checked = 0;
        std::atomic<int> changed = 0;
        const auto read = [&] {
            while (!done) {
                const auto trace = script.store.latest();
                const auto first = digestOf(*trace);
                for (int i = 0; i < 4; ++i) {
                    std::this_thread::yield();
                    if (digestOf(*trace) != first) ++changed;
                }
                if (!levelsAgree(trace->heap) || !levelsAgree(trace->virtualAlloc)) ++changed;
                ++checked;
            }
        };
        std::thread one(read);
        std::thread two(read);
        std::mt19937 random(42);
        std::vector<std::pair<std::shared_ptr<const PublishedTrace>, std::uint64_t>> kept;
        for (int i = 0; i < 60'000 || checked < 6; ++i) {
            randomStep(script, random);
            if (i % 300 == 0) (void)script.publish();
            if (i % 5000 == 4000) script.store.cutBefore(TraceTime{script.now - 3000});
            (void)script.store.continueCut(20);
            if (i % 20'000 == 0) kept.emplace_back(script.store.latest(), digestOf(*script.store.latest()));
        }
        done = true;
        one.join();
        two.join();
        for (const auto& [trace, digest] : kept)
            QCOMPARE(digestOf(*trace), digest);
        QCOMPARE(changed.load(), 0);
    }
    /// A child that becomes another program at once never used its parent's memory; one that used memory before did.
    void notesForksThatUsedMemoryByTheNameThatTheyHad() {
        EventScript script;
        const auto become = [&](std::uint32_t pid, bool usesMemory) {
            script.pid = pid;
            script.process(Occasion::Start, "sh").process(Occasion::Forked, "");
            if (usesMemory) script.free(0x1000);
            script.process(Occasion::Executed, "git").alloc(0x2000, 1).process(Occasion::Executed, "less");
        };
        become(5, false);
        QVERIFY(script.publish()->processes->notes().empty());
        become(6, true);
        const auto notes = script.publish()->processes->notes();
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY2(notes[0].starts_with("sh (6), later less, is a fork"), notes[0].c_str());
        script.pid = 7; // continues unchanged
        script.process(Occasion::Start, "sh").process(Occasion::Forked, "");
        QVERIFY(script.publish()->processes->notes()[0].starts_with("sh (6), later less, sh (7) are forks"));
    }
};
HIGHWATER_TEST(TraceStoreTest);
#include "trace_store_test.moc"
