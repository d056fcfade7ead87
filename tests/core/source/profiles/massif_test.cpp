#include "core/source/profiles/massif.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

/// leak() has 1000 bytes, then 1500, then 600; 128 had no room in the tree.
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

/// What is outstanding just before a time.
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
                 std::vector<std::string>{"3 of 4 snapshots of massif have stacks: memory is as it "
                                          "was at these."});
        for (RowId row = 0; row < opened.trace->heap.rows; ++row) {
            if (opened.trace->heap.size(row) == 128) continue;
            QCOMPARE(framesOf(*opened.trace, row), (Frames{"[unknown]!leak() a.cc:4", "[unknown]!main a.cc:7"}));
        }
    }
    void saysWhatTimesAre() {
        auto text = std::string(kMassifFile);
        text.replace(text.find("time_unit: ms"), 13, "time_unit: i");
        QCOMPARE(openText(text).health.notes.back(),
                 std::string("Times are instructions: 1 s stands for 1,000,000,000 of them."));
    }
    void saysWhereItEndsWithoutStacks() {
        const auto opened = openText(std::string(kMassifFile) + "#-----------\nsnapshot=4\n#-----------\ntime=12\n"
                                                                "mem_heap_B=7000\nheap_tree=empty\n");
        QCOMPARE(opened.health.notes.back(),
                 std::string("The last snapshot has 7,000 bytes in blocks, but no stacks; the last one that has "
                             "stacks, which the tables end with, has 600."));
        QVERIFY(opened.health.remarks.empty());
    }
    /// Behind any byte of it: what there is shows, and that something is missing is said. Between two snapshots nobody
    /// could tell.
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
                 std::string("a.file has no snapshot with a tree of stacks: there is nothing to show."));
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
