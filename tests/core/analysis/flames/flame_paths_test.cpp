#include "core/analysis/flames/flame_paths.h"

#include "tests/core/analysis/flames/printed_flames.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

/// Paths of rows: which frames they make, and how wide these are.
class FlamePathsTest : public QObject {
    Q_OBJECT
  private slots:
    void framesAreAsWideAsWhatTheyHold() {
        QCOMPARE(printed(flamesOf(threeStacks(), stacksOf(Column::Size))),
                 std::string("a.exe (7): 100/0\n  A: 100/10\n    B: 60/60\n    C: 30/30\n"));
    }
    void leavesComeFirstInAnIcicleOfCallers() {
        auto query = stacksOf(Column::Count);
        query.keys = {Column::StackBottomUp};
        QCOMPARE(printed(flamesOf(threeStacks(), query)), std::string("A: 1/1\nB: 1/0\n  A: 1/1\nC: 1/0\n  A: 1/1\n"));
    }
    void whatOnlyFellIsNotDrawnButTold() {
        const auto trace = traceOfBlocks({{1, 30, 8, "A;B"}, {2, 0, 5, "A;C"}, {25, 0, 20, "A;D"}});
        const auto tree = flamesOf(trace, stacksOf(Column::ImpactingSize, {TraceTime{20}, TraceTime{40}}));
        QCOMPARE(printed(tree), std::string("a.exe (7): 20/0\n  A: 20/0\n    D: 20/20\n"));
        QCOMPARE(tree.notDrawn, SignedByteCount{-8});
        QCOMPARE(tree.root().now, SignedByteCount{12}); // the table's value
        QCOMPARE(tree.nodes[tree.nodes.size() - 2].now, SignedByteCount{12});
    }
    void twoIntervalsAreWidestOfBoth() {
        const auto trace = traceOfBlocks({{10, 15, 20, "A;B"}, {60, 0, 7, "A;C"}});
        auto query = stacksOf(Column::Size, {TraceTime{50}, TraceTime{100}});
        query.before = TimeRange{TraceTime{0}, TraceTime{50}};
        const auto tree = flamesOf(trace, query);
        QCOMPARE(printed(tree), std::string("a.exe (7): 27/0\n  A: 27/0\n    B: 20/20\n    C: 7/7\n"));
        QVERIFY(tree.hasBefore);
        QCOMPARE(tree.nodes[2].now, SignedByteCount{7});
        QCOMPARE(tree.nodes[2].before, SignedByteCount{20});
    }
    void sizesThatDoNotFitTogetherKeepTheirOrder() {
        constexpr ByteCount kHuge = std::numeric_limits<std::int64_t>::max();
        const auto trace = traceOfBlocks({{1, 0, kHuge, "A"}, {2, 0, kHuge, "B"}, {3, 0, kHuge / 2, "C"}});
        const auto tree = flamesOf(trace, stacksOf(Column::Size));
        QCOMPARE(tree.nodes.size(), std::size_t{5});
        QCOMPARE(shortText(tree, 4), std::string("C"));
        QCOMPARE(tree.share(4, FlameTree::kRoot), 0.2);
        QCOMPARE(tree.share(2, FlameTree::kRoot), 0.4);
    }
};
HIGHWATER_TEST(FlamePathsTest);
#include "flame_paths_test.moc"
