#include "core/analysis/flames/flame_amounts.h"

#include "tests/core/analysis/flames/printed_flames.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

/// Row values at the instant when all rows together are at their peak.
class FlameAmountsTest : public QObject {
    Q_OBJECT
  private slots:
    void ofAPeakWhatIsThereWhenAllTogetherIsHighest() {
        // B is at its own peak at 10, all together at 30: A 20 and B 5.
        const auto trace = traceOfBlocks({{10, 15, 20, "B"}, {20, 40, 20, "A"}, {30, 0, 5, "B"}});
        const auto tree = flamesOf(trace, stacksOf(Column::PeakSize));
        QCOMPARE(printed(tree), std::string("a.exe (7): 25/0\n  A: 20/20\n  B: 5/5\n"));
        QCOMPARE(tree.peakTime, std::optional(TraceTime{30}));
    }
    void ofAnInstantWhatIsThereBetweenItsEvents() {
        // At 30, A goes, then B comes and C comes: the peak is after all of them. At 40 they end.
        const auto trace = traceOfBlocks({{10, 30, 20, "A"}, {30, 40, 15, "B"}, {30, 40, 10, "C"}, {50, 60, 25, "D"}});
        const auto tree = flamesOf(trace, stacksOf(Column::PeakSize));
        QCOMPARE(printed(tree), std::string("a.exe (7): 25/0\n  B: 15/15\n  C: 10/10\n"));
    }
    void ofAPeakOnlyOfWhatPassesTheFilter() {
        const auto trace = traceOfBlocks({{10, 15, 20, "B"}, {20, 40, 20, "A"}, {30, 0, 5, "B"}});
        auto query = stacksOf(Column::PeakSize);
        query.filter.query = QueryExpression::parse(Table::Heap, "[Allocation Size]:<10 OR [AllocTime]:<15ns").value();
        const auto tree = flamesOf(trace, query);
        QCOMPARE(printed(tree), std::string("a.exe (7): 20/0\n  B: 20/20\n"));
        QCOMPARE(tree.peakTime, std::optional(TraceTime{10}));
    }
    void whatIsCarriedInCanBeThePeak() {
        const auto trace = traceOfBlocks({{10, 0, 20, "B"}, {20, 40, 20, "A"}});
        const auto tree = flamesOf(trace, stacksOf(Column::PeakSize, {TraceTime{30}, TraceTime{50}}));
        QCOMPARE(printed(tree), std::string("a.exe (7): 40/0\n  A: 20/20\n  B: 20/20\n"));
        QCOMPARE(tree.peakTime, std::optional(TraceTime{30}));
    }
};
HIGHWATER_TEST(FlameAmountsTest);
#include "flame_amounts_test.moc"
