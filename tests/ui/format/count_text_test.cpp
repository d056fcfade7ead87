#include "ui/format/count_text.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::ui;

class CountTextTest : public QObject {
    Q_OBJECT
  private slots:
    void nounsAndVerbsHaveTheNumberOfTheirCount() {
        const auto text = [](std::uint64_t count) { return countText(count, "1 row matches", "%1 rows match"); };
        QCOMPARE(text(0), "0 rows match");
        QCOMPARE(text(1), "1 row matches");
        QCOMPARE(text(1204), "1,204 rows match");
    }
    void rowsAreNamedByTheirTable() {
        using highwater::analysis::Table;
        QCOMPARE(rowCountText(Table::Heap, 52'814), "52,814 allocations");
        QCOMPARE(rowCountText(Table::VirtualAlloc, 1), "1 allocation");
        QCOMPARE(rowCountText(Table::Frees, 2), "2 releases");
        QCOMPARE(rowCountText(Table::Snapshot, 2), "2 blocks");
        QCOMPARE(rowCountText(Table::Managed, 1), "1 sample");
        QCOMPARE(rowCountText(Table::GcHeap, 0), "0 size reports");
    }
    void laterArgumentsFollow() {
        const auto text = [](std::uint64_t count) {
            return countText(count, "1 row exported to %2.", "%1 rows exported to %2.").arg("a 100%1.csv");
        };
        QCOMPARE(text(1), "1 row exported to a 100%1.csv.");
        QCOMPARE(text(2), "2 rows exported to a 100%1.csv.");
    }
};
HIGHWATER_TEST(CountTextTest);
#include "count_text_test.moc"
