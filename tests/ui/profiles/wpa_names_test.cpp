#include "ui/profiles/wpa_names.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/wpa_profile_text.h"

#include <QTest>

using namespace highwater::tests;
using namespace highwater::ui;
using highwater::analysis::Column;
using highwater::analysis::Table;

class WpaNamesTest : public QObject {
    Q_OBJECT
  private slots:
    void findsGraphsByTheirGuids() {
        QCOMPARE(tableOfGraph(kWpaVirtualAlloc), std::optional(Table::VirtualAlloc));
        QCOMPARE(tableOfGraph(kWpaHeap.toUpper()), std::optional(Table::Heap));
        QCOMPARE(tableOfGraph("{" + kWpaSnapshot + "}"), std::optional(Table::Snapshot));
        QVERIFY(!tableOfGraph("00000000-0000-0000-0000-000000000000"));
        QVERIFY(!tableOfGraph({}));
    }
    void namesGraphsThatAreElsewhere() {
        QVERIFY(nameOfOtherGraph("18fe1bac-a7d7-471d-a3d7-2abce0eb50cd").contains("Compare Snapshots"));
        QVERIFY(nameOfOtherGraph("00000000-0000-0000-0000-000000000000").isEmpty());
    }
    void findsColumnsOfEachGraph() {
        const auto size = QStringLiteral("29a4dfc2-cd62-4de8-85c3-f580af6a47dd");
        QCOMPARE(columnOfGraph(Table::Heap, size, "anything"), std::optional(Column::Size));
        QVERIFY(!columnOfGraph(Table::VirtualAlloc, size, "anything")); // another graph's
    }
    void findsAColumnWithUnknownGuidByItsName() {
        QCOMPARE(columnOfGraph(Table::VirtualAlloc, "?", "Impacting Type"), std::optional(Column::ImpactingType));
        QVERIFY(!columnOfGraph(Table::Heap, "?", "Bucket"));
        QVERIFY(!columnOfGraph(Table::Snapshot, "?", "Impacting Size")); // which that table does not have
    }
};

HIGHWATER_TEST(WpaNamesTest);
#include "wpa_names_test.moc"
