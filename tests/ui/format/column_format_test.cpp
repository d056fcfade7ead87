#include "tests/support/test_registry.h"
#include "ui/format/column_format.h"

#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Aggregation;
using highwater::analysis::Column;
using highwater::analysis::Table;

class ColumnFormatTest : public QObject {
    Q_OBJECT
  private slots:
    void offersUnitsOfTheKindOfValue() {
        using enum ColumnUnit;
        QCOMPARE(unitsOf(Column::Size), (std::vector{Own, Bytes, Kilobytes, Megabytes, Gigabytes}));
        QCOMPARE(unitsOf({Column::Size, Aggregation::Count}), std::vector{Own});
        QCOMPARE(unitsOf(Column::Handle), (std::vector{Own, Decimal}));
        QCOMPARE(unitsOf(Column::BeginTime), (std::vector{Own, Seconds, Milliseconds, Microseconds, WallClock}));
        QCOMPARE(unitsOf(Column::LifeTime), (std::vector{Own, Seconds, Milliseconds, Microseconds}));
        QCOMPARE(unitsOf(Column::Process), std::vector{Own});
    }
    void namesEveryUnit() {
        for (const auto column : {Column::Size, Column::Handle, Column::BeginTime, Column::LifeTime, Column::Pid}) {
            for (const auto unit : unitsOf(column))
                QVERIFY(!unitName(column, unit).isEmpty());
        }
        QCOMPARE(unitName(Column::Handle, ColumnUnit::Own), "Hexadecimal");
    }
    void putsAFixedUnitInTheTitle() {
        QCOMPARE(columnTitle(Table::Heap, Column::Size), "Size");
        QCOMPARE(columnTitle(Table::Heap, Column::ImpactingType), "Impacting Type"); // one word, one spelling
        QCOMPARE(columnTitle(Table::Heap, Column::Size, {ColumnUnit::Megabytes, 2}), "Size (MB)");
        QCOMPARE(columnTitle(Table::VirtualAlloc, Column::BeginTime, {ColumnUnit::WallClock, -1}), "Commit Time");
        QCOMPARE(columnTitle(Table::Heap, {Column::Size, Aggregation::Count}, {ColumnUnit::Megabytes, 2}), "Size");
    }
    void namesTheAggregation() {
        QCOMPARE(aggregationTitle(Table::Heap, Column::Size), "Sum");
        QCOMPARE(aggregationTitle(Table::Heap, {Column::Size, Aggregation::Peak}), "Peak");
        QCOMPARE(aggregationTitle(Table::Heap, Column::BeginTime), "");
    }
    void limitsDecimalsToSignificantOnes() {
        QCOMPARE(mostDecimals(Column::Size, ColumnUnit::Bytes), 0);
        QCOMPARE(mostDecimals(Column::Size, ColumnUnit::Megabytes), 3);
        QCOMPARE(mostDecimals(Column::BeginTime, ColumnUnit::Own), 9);
        QCOMPARE(mostDecimals(Column::Count, ColumnUnit::Own), 0);
    }
};
HIGHWATER_TEST(ColumnFormatTest);
#include "column_format_test.moc"
