#include "core/source/profiles/massif.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

/// leak() has 1000 bytes, then 1500, then 600; 128 did not get a node in the tree.
constexpr std::string_view kMassifFile =
    "desc: (none)\n"
    "cmd: ./app\n"
    "time_unit: ms\n"
    "#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=0\nheap_tree=empty\n"
    "#-----------\nsnapshot=1\n#-----------\ntime=5\nmem_heap_B=1128\nheap_tree=detailed\n"
    "n2: 1128 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n1: 1000 0x109164: leak() (a.cc:4)\n"
    "  n0: 1000 0x1091EF: main (a.cc:7)\n"
    " n0: 128 in 2 places, all below massif's threshold (1.00%)\n"
    "#-----------\nsnapshot=2\n#-----------\ntime=8\nmem_heap_B=1500\nheap_tree=peak\n"
    "n1: 1500 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n1: 1500 0x109164: leak() (a.cc:4)\n"
    "  n0: 1500 0x1091EF: main (a.cc:7)\n"
    "#-----------\nsnapshot=3\n#-----------\ntime=9\nmem_heap_B=600\nheap_tree=detailed\n"
    "n1: 600 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n1: 600 0x109164: leak() (a.cc:4)\n"
    "  n0: 600 0x1091EF: main (a.cc:7)\n";

std::string withoutTree(int ms, int bytes) {
    return "#-----------\nsnapshot=9\n#-----------\ntime=" + std::to_string(ms) +
           "\nmem_heap_B=" + std::to_string(bytes) + "\nheap_tree=empty\n";
}

/// The outstanding bytes just before a time.
std::uint64_t outstandingAt(const store::PublishedTrace& trace, std::int64_t ms) {
    std::uint64_t bytes = 0;
    for (RowId row = 0; row < trace.heap.rows; ++row)
        if (trace.heap.begin(row).ns < ms * 1'000'000 && trace.heap.end(row).ns >= ms * 1'000'000)
            bytes += trace.heap.size(row);
    return bytes;
}

} // namespace

class MassifTest : public QObject {
    Q_OBJECT
  private slots:
    void isAsTheSnapshotsAreBetweenThem() {
        const auto opened = openText(kMassifFile);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(outstandingAt(*opened.trace, 5), std::uint64_t{0});
        QCOMPARE(outstandingAt(*opened.trace, 6), std::uint64_t{1128});
        QCOMPARE(outstandingAt(*opened.trace, 9), std::uint64_t{1500});
        QCOMPARE(outstandingAt(*opened.trace, 10), std::uint64_t{600});
        QCOMPARE(opened.health.notes,
                 std::vector<std::string>{"3 of 4 massif snapshots have stacks. Memory is shown at these snapshots."});
        for (RowId row = 0; row < opened.trace->heap.rows; ++row) {
            if (opened.trace->heap.size(row) == 128) continue;
            QCOMPARE(framesOf(*opened.trace, row), (Frames{"[unknown]!leak() a.cc:4", "[unknown]!main a.cc:7"}));
        }
    }
    /// Millisecond clocks are coarse: the contents of one snapshot must not be counted together with those of the next.
    void snapshotsOfOneTimeDoNotAddUp() {
        auto text = std::string(kMassifFile);
        for (const std::string what : {"time=8\n", "time=9\n"})
            text.replace(text.find(what), what.size(), "time=5\n");
        text.replace(text.find("0x109164: leak() (a.cc:4)\n  n0: 1500"), 8, "0x109999");
        const auto opened = openText(text);
        QCOMPARE(opened.error, std::string());
        std::vector<std::int64_t> times;
        const auto& heap = opened.trace->heap;
        for (RowId row = 0; row < heap.rows; ++row)
            times.push_back(heap.begin(row).ns);
        std::uint64_t most = 0;
        for (const auto time : times) {
            std::uint64_t bytes = 0;
            for (RowId row = 0; row < heap.rows; ++row)
                if (heap.begin(row).ns <= time && heap.end(row).ns > time) bytes += heap.size(row);
            most = std::max(most, bytes);
        }
        QCOMPARE(most, std::uint64_t{1500});
        QCOMPARE(outstandingAt(*opened.trace, 6), std::uint64_t{600});
    }
    /// "???" where valgrind finds no name, and 0 where it finds no address.
    void showsAddressesOfWhatHasNoName() {
        auto text = std::string(kMassifFile);
        const std::string leaf = "0x109164: leak() (a.cc:4)", caller = "0x1091EF: main (a.cc:7)";
        for (const auto& [what, by] : {std::pair(leaf, "0x109164: ???"), std::pair(leaf, "0x1091EF: ???"),
                                       std::pair(leaf, "0x0: ???"), std::pair(caller, "0x109164: ???"),
                                       std::pair(caller, "0x1091EF: ??? (in /srv/app)"), std::pair(caller, "0x0: ???")})
            text.replace(text.find(what), what.size(), by);
        const auto opened = openText(text);
        QCOMPARE(opened.error, std::string());
        std::vector<std::vector<Address>> all;
        for (RowId row = 0; row < opened.trace->heap.rows; ++row)
            if (const auto addresses = addressesOf(*opened.trace, row); !addresses.empty()) all.push_back(addresses);
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        QCOMPARE(all, (std::vector<std::vector<Address>>{{0, 0}, {0x109164, 0x109164}, {0x1091EF, 0x1091EF}}));
    }
    void saysWhatTimesAre() {
        auto text = std::string(kMassifFile);
        text.replace(text.find("time_unit: ms"), 13, "time_unit: i");
        QCOMPARE(
            openText(text).health.notes.back(),
            std::string(
                "The file counts instructions instead of seconds. A time of 1 s means 1,000,000,000 instructions."));
    }
    /// The stacks that have less of it are unknown.
    void saysWhereItEndsWithLess() {
        const auto opened = openText(std::string(kMassifFile) + withoutTree(12, 500));
        QCOMPARE(outstandingAt(*opened.trace, 13), std::uint64_t{600});
        QCOMPARE(opened.health.notes.back(),
                 std::string(
                     "The last snapshot has 500 bytes in blocks but no stacks. The tables end with the last snapshot "
                     "that has stacks, with 600 bytes."));
        QVERIFY(opened.health.remarks.empty());
    }
    /// Only the sum of the data after the last tree is known.
    void showsWhatWasAddedBehindTheStacks() {
        const auto opened =
            openText(std::string(kMassifFile) + withoutTree(12, 7000) + withoutTree(14, 400) + withoutTree(16, 2000));
        QCOMPARE(outstandingAt(*opened.trace, 12), std::uint64_t{600});
        QCOMPARE(outstandingAt(*opened.trace, 13), std::uint64_t{7000});
        QCOMPARE(outstandingAt(*opened.trace, 15), std::uint64_t{600});
        QCOMPARE(outstandingAt(*opened.trace, 17), std::uint64_t{2000});
        QCOMPARE(framesOf(*opened.trace, static_cast<RowId>(opened.trace->heap.rows - 1)), Frames());
        QCOMPARE(opened.health.notes.back(),
                 std::string("Snapshots after the last one with stacks have more bytes, which have no stack."));
        QVERIFY(opened.health.remarks.empty());
    }
    /// A snapshot between two trees does not get this note: the next one has its stacks.
    void saysWhereTheLargestSnapshotHasNoStacks() {
        auto text = std::string(kMassifFile);
        text.insert(text.find("#-----------\nsnapshot=3"), withoutTree(8, 9000));
        const auto opened = openText(text);
        QCOMPARE(outstandingAt(*opened.trace, 9), std::uint64_t{1500});
        QCOMPARE(opened.health.notes.back(),
                 std::string("The largest snapshot has 9,000 bytes in blocks but no stacks. "
                             "Peak Size is the largest shown snapshot, with 1,500 bytes."));
    }
    void showsSumsWhereNoSnapshotHasStacks() {
        const auto opened =
            openText("desc: (none)\ncmd: ./app\ntime_unit: ms\n" + withoutTree(2, 100) + withoutTree(4, 40));
        QCOMPARE(opened.error, std::string());
        QCOMPARE(outstandingAt(*opened.trace, 3), std::uint64_t{100});
        QCOMPARE(outstandingAt(*opened.trace, 5), std::uint64_t{40});
        QCOMPARE(framesOf(*opened.trace, 0), Frames());
        QCOMPARE(opened.health.notes,
                 std::vector<std::string>{"None of 2 massif snapshots has stacks. Memory is shown at "
                                          "these snapshots, without stacks."});
    }
    /// --stacks=yes measures them; the heap may be empty.
    void saysThatStacksOfThreadsAreLeftOut() {
        auto text = std::string(kMassifFile);
        QVERIFY(openText(text).health.notes.back().find("threads") == std::string::npos);
        for (const std::string what : {"mem_heap_B=0\n", "mem_heap_B=1500\n"})
            text.insert(text.find(what) + what.size(),
                        what == "mem_heap_B=0\n" ? "mem_stacks_B=64\n" : "mem_stacks_B=6400272\n");
        QCOMPARE(openText(text).health.notes.back(),
                 std::string("Thread stacks, which had up to 6,400,272 bytes, are not heap memory and are left out."));
    }
    /// --xtree-memory has sums in this form: of bytes, of blocks, of freed bytes. Only one of them is in use.
    void readsWhatIsInUseOfExecutionTrees() {
        const auto part = [](const std::string& what, int amount) {
            const auto bytes = std::to_string(amount);
            return "#-----------\nsnapshot=0\n#-----------\ntime=2117\nmem_heap_B=" + bytes +
                   "\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\nn1: " + bytes + ' ' + what +
                   "\n n1: " + bytes + " 0x109164: leak() (a.cc:4)\n  n0: " + bytes + " 0x1091EF: main (a.cc:7)\n";
        };
        const std::string header = "desc: xtree.produce_report\ncmd: ./app\ntime_unit: ms\n";
        const auto used = part("curB : currently allocated Bytes", 4000);
        const auto blocks = part("curBk : currently allocated Blocks", 8);
        const auto all = part("totB : total allocated Bytes", 9000);
        for (const auto& text : {header + used + blocks + all, header + all + blocks + used}) {
            const auto opened = openText(text);
            QCOMPARE(opened.error, std::string());
            QCOMPARE(sizesOf(*opened.trace), std::string("4000 outstanding"));
            QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!leak() a.cc:4", "[unknown]!main a.cc:7"}));
            QVERIFY(opened.lacks.times);
            QCOMPARE(
                opened.health.notes,
                std::vector<std::string>{"The file contains sums of valgrind's execution trees. Memory in use (curB) "
                                         "when it was written is shown."});
            QVERIFY(opened.health.remarks.empty());
        }
        QCOMPARE(
            openText(header + all + blocks).error,
            std::string("a.file contains sums of valgrind's execution trees (xtree) but not of bytes in use (curB), "
                        "so there is nothing to show. valgrind --xtree-memory=full writes them."));
    }
    /// After any byte: the available part is shown, and the missing part is reported. A cut between two snapshots
    /// cannot be detected.
    void saysWhenItIsCutOff() {
        const auto first = kMassifFile.find("snapshot=2");
        for (auto size = first; size < kMassifFile.size(); ++size) {
            const auto opened = openText(kMassifFile.substr(0, size));
            const bool isBetween = kMassifFile.substr(size).starts_with("#-----------\nsnapshot");
            QCOMPARE(opened.health.remarks.empty(), isBetween);
        }
        QVERIFY(openText(kMassifFile).health.remarks.empty());
    }
    void saysWhenThereIsNoTree() {
        QCOMPARE(openText(kMassifFile.substr(0, kMassifFile.find("snapshot=1"))).error,
                 std::string("a.file has no snapshot with a stack tree, so there is nothing to show."));
    }
    void readsLinesOfWindows() {
        const auto opened = openText(withReturns(kMassifFile));
        QCOMPARE(opened.error, std::string());
        QCOMPARE(outstandingAt(*opened.trace, 6), std::uint64_t{1128});
        QCOMPARE(outstandingAt(*opened.trace, 10), std::uint64_t{600});
        QCOMPARE(framesOf(*opened.trace, 0), framesOf(*openText(kMassifFile).trace, 0));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (1)"));
        QCOMPARE(opened.health.notes, openText(kMassifFile).health.notes);
        QVERIFY(opened.health.remarks.empty());
    }
    /// As valgrind writes it since it reads inlined calls: two frames with one address.
    void tellsFramesOfOneAddressApart() {
        auto text = std::string(kMassifFile);
        const std::string what = "  n0: 600 0x1091EF: main (a.cc:7)\n";
        text.replace(text.rfind(what), what.size(),
                     "  n1: 600 0x109164: outer() (a.cc:5)\n   n0: 600 0x1091EF: main (a.cc:7)\n");
        const auto opened = openText(text);
        const auto last = static_cast<RowId>(opened.trace->heap.rows - 1);
        QCOMPARE(framesOf(*opened.trace, last),
                 (Frames{"[unknown]!leak() a.cc:4", "[unknown]!outer() a.cc:5", "[unknown]!main a.cc:7"}));
    }
    /// Its header comes after all snapshots, its times are seconds, and some versions announce children that they do
    /// not write.
    void readsWhatHeaptrackPrints() {
        const auto opened = openText("#-----------\nsnapshot=0\n#-----------\ntime=0.0101\nmem_heap_B=1000\n"
                                     "mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n"
                                     "n2: 1000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
                                     "#-----------\nsnapshot=1\n#-----------\ntime=0.25\nmem_heap_B=700\n"
                                     "mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n"
                                     "n2: 700 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
                                     "desc: heaptrack\ncmd: ./my app\ntime_unit: s\n");
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("700 outstanding, 300 freed"));
        QCOMPARE(opened.trace->heap.begin(0).ns, std::int64_t{10'100'000});
        QCOMPARE(opened.trace->heap.end(1).ns, std::int64_t{250'000'000});
        QCOMPARE(opened.health.notes,
                 std::vector<std::string>{"2 of 2 massif snapshots have stacks. Memory is shown at these snapshots."});
        QVERIFY(opened.health.remarks.empty());
    }
    /// A tree that lacks children does not indicate a missing end if the tree before lacks them as well.
    void isNotCutWhereItsWriterLeavesChildrenOut() {
        const std::string snapshot = "#-----------\nsnapshot=0\n#-----------\ntime=1\nmem_heap_B=1000\n"
                                     "heap_tree=detailed\nn2: 1000 (heap allocation functions) malloc\n";
        QVERIFY(openText("desc: x\ncmd: y\ntime_unit: s\n" + snapshot + snapshot).health.remarks.empty());
        QVERIFY(!openText("desc: x\ncmd: y\ntime_unit: s\n" + snapshot).health.remarks.empty());
    }
    /// Profilers of Lua, WebAssembly and others write names without addresses, or all with the address 0; some have no
    /// stack for a part.
    void readsTreesOfOtherWriters() {
        const auto opened = openText("desc: nope\ntime_unit: ms\ncmd: test.wasm\n"
                                     "#-----------\nsnapshot=0\n#-----------\ntime=5\nmem_heap_B=1500\n"
                                     "heap_tree=detailed\n"
                                     "n2: 1200 (visited this cycle, by type)\n"
                                     " n1: 900 0x0: alloc+12\n"
                                     "  n0: 900 0x0: main (in my module)+3\n"
                                     " n0: 300 new[]\n");
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("900 outstanding, 300 outstanding, 300 outstanding"));
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!alloc+12", "[unknown]!main (in my module)+3"}));
        QCOMPARE(framesOf(*opened.trace, 1), Frames{"[unknown]!new[]"});
        QCOMPARE(framesOf(*opened.trace, 2), Frames());
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void saysWhereStacksAndSnapshotDiffer_data() {
        QTest::addColumn<QString>("bytes");
        QTest::addColumn<qulonglong>("outstanding");
        QTest::addColumn<QString>("note");
        QTest::newRow("fewer")
            << "5000" << 5000ULL
            << "In 1 snapshot, the stacks have fewer bytes than the snapshot. The rest has no stack.";
        QTest::newRow("more") << "100" << 600ULL
                              << "In 1 snapshot, the stacks have more bytes than the snapshot. The tables show the "
                                 "bytes of the stacks.";
    }
    void saysWhereStacksAndSnapshotDiffer() {
        QFETCH(QString, bytes);
        QFETCH(qulonglong, outstanding);
        QFETCH(QString, note);
        auto text = std::string(kMassifFile);
        text.replace(text.rfind("mem_heap_B=600"), 14, "mem_heap_B=" + bytes.toStdString());
        const auto opened = openText(text);
        QCOMPARE(outstandingAt(*opened.trace, 10), std::uint64_t{outstanding});
        QCOMPARE(opened.health.notes.back(), note.toStdString());
    }
    void readsTimesOfAnyUnit_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("time");
        QTest::addColumn<qlonglong>("ns");
        QTest::addColumn<QString>("note");
        const char* const none = "3 of 4 massif snapshots have stacks. Memory is shown at these snapshots.";
        QTest::newRow("ms") << "ms"
                            << "9" << 9'000'000LL << none;
        QTest::newRow("s") << "s"
                           << "1.234567891" << 1'234'567'891LL << none;
        QTest::newRow("s, in powers of ten") << "s"
                                             << "1.5e+03" << 1'500'000'000'000LL << none;
        QTest::newRow("us") << "us"
                            << "9000" << 9'000'000LL << none;
        QTest::newRow("i")
            << "i"
            << "2305843009213693951" << 2'305'843'009'213'693'951LL
            << "The file counts instructions instead of seconds. A time of 1 s means 1,000,000,000 instructions.";
        QTest::newRow("B")
            << "B"
            << "12" << 12LL
            << "The file counts allocated bytes instead of seconds. A time of 1 s means 1,000,000,000 allocated bytes.";
        QTest::newRow("another")
            << "moons"
            << "12" << 12LL
            << "The file counts \"moons\" instead of seconds. A time of 1 s means 1,000,000,000 \"moons\".";
    }
    void readsTimesOfAnyUnit() {
        QFETCH(QString, unit);
        QFETCH(QString, time);
        QFETCH(qlonglong, ns);
        QFETCH(QString, note);
        auto text = std::string(kMassifFile);
        text.replace(text.find("time_unit: ms"), 13, "time_unit: " + unit.toStdString());
        for (const std::string what : {"time=5\n", "time=8\n"})
            text.replace(text.find(what), what.size(), "time=0\n");
        text.replace(text.find("time=9\n"), 7, "time=" + time.toStdString() + "\n");
        const auto opened = openText(text);
        std::int64_t end = 0;
        for (RowId row = 0; row < opened.trace->heap.rows; ++row)
            if (opened.trace->heap.end(row) != kNever) end = std::max(end, opened.trace->heap.end(row).ns);
        QCOMPARE(end, std::int64_t{ns});
        QCOMPARE(opened.health.notes.back(), note.toStdString());
        QVERIFY(opened.health.remarks.empty());
    }
    /// A time that does not fit into a trace's clock would become the time of the preceding data.
    void leavesOutTimesThatNoClockHas() {
        const auto withTime = [](const std::string& time) {
            auto text = std::string(kMassifFile);
            text.replace(text.find("time_unit: ms"), 13, "time_unit: i");
            return openText(text.replace(text.find("time=9\n"), 7, "time=" + time + "\n"));
        };
        QVERIFY(withTime("2305843009213693951").health.remarks.empty());
        for (const std::string time : {"2305843009213693952", "4611686018427387903", "18446744073709551616", "-1"}) {
            const auto opened = withTime(time);
            QCOMPARE(opened.health.remarks.size(), std::size_t{1});
            QCOMPARE(opened.health.remarks[0], std::string("1 damaged part was skipped in a.file."));
        }
    }
    void isKnownByAnyHeader() {
        QVERIFY(source::isMassif("desc: " + std::string(5000, 'x')));
        QVERIFY(source::isMassif("cmd: ./app\ntime_unit: i\n"));
        QVERIFY(source::isMassif("snapshot=0\n#-----------\n"));
        QVERIFY(source::isMassif("#-----------\r\nsnapshot=0\r\n"));
        QVERIFY(!source::isMassif("#----------- settings\nname=x\n#\nsnapshot=0\n"));
        QVERIFY(!source::isMassif("desc: of something\nelse: 1\n"));
        QVERIFY(!source::isMassif("cmd: ls\n"));
    }
    void cutsWhatIsDeeperThanTracesAre() {
        std::string text(kMassifFile.substr(0, kMassifFile.find("#-----------\nsnapshot=2")));
        text.resize(text.find("heap_tree=detailed\n") + 19);
        text += "n1: 1128 (heap allocation functions) malloc\n";
        for (int depth = 1; depth <= 2000; ++depth)
            text += std::string(static_cast<std::size_t>(depth), ' ') + "n1: 1128 0x" + std::to_string(depth) + ": f" +
                    std::to_string(depth) + " (a.cc:1)\n";
        const auto opened = openText(text);
        QCOMPARE(sizesOf(*opened.trace), std::string("1128 outstanding"));
        QCOMPARE(framesOf(*opened.trace, 0).size(), std::size_t{512});
        QCOMPARE(framesOf(*opened.trace, 0).front(), std::string("[unknown]!f1 a.cc:1"));
    }
    void leavesOutWhatIsDamaged_data() {
        QTest::addColumn<QString>("by");
        QTest::newRow("more than its parent") << " n1: 5000 0x109164: leak() (a.cc:4)\n";
        QTest::newRow("no number") << " n1: x 0x109164: leak() (a.cc:4)\n";
        QTest::newRow("too deep") << "       n1: 1000 0x109164: leak() (a.cc:4)\n";
    }
    void leavesOutWhatIsDamaged() {
        QFETCH(QString, by);
        auto text = std::string(kMassifFile);
        const std::string what = " n1: 1000 0x109164: leak() (a.cc:4)\n";
        text.replace(text.find(what), what.size(), by.toStdString());
        const auto opened = openText(text);
        QCOMPARE(outstandingAt(*opened.trace, 6), std::uint64_t{1128}); // the total is that of the outermost node
        QVERIFY(opened.health.totalsAreBounds());
    }
};

HIGHWATER_TEST(MassifTest);
#include "massif_test.moc"
