#include "core/pipeline/memory_growth.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::pipeline;

class MemoryGrowthTest : public QObject {
    Q_OBJECT

  private slots:
    void aProcessHasGrownSinceItsFirstValue() {
        MemoryGrowth growth(100);
        QVERIFY(!growth.hasGrown(7, 1000));
        QVERIFY(!growth.hasGrown(7, 1099));
        QVERIFY(!growth.hasGrown(7, 10)); // the first value stays
        QVERIFY(growth.hasGrown(7, 1100));
    }
    void thenItGrowsSinceThatTime() {
        MemoryGrowth growth(100);
        QVERIFY(!growth.hasGrown(7, 0));
        QVERIFY(growth.hasGrown(7, 250));
        QVERIFY(!growth.hasGrown(7, 349));
        QVERIFY(growth.hasGrown(7, 350));
    }
    void eachProcessGrowsByItself() {
        MemoryGrowth growth(100);
        QVERIFY(!growth.hasGrown(7, 0));
        QVERIFY(!growth.hasGrown(8, 1000));
        QVERIFY(growth.hasGrown(7, 100));
        QVERIFY(!growth.hasGrown(8, 1050));
    }
    void anyAmountIsPossible() {
        constexpr auto kMost = ~ByteCount{0};
        MemoryGrowth growth(kMost);
        QVERIFY(!growth.hasGrown(7, 1));
        QVERIFY(!growth.hasGrown(7, kMost));
    }
};

HIGHWATER_TEST(MemoryGrowthTest);
#include "memory_growth_test.moc"
