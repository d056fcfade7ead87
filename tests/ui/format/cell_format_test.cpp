#include "tests/support/test_registry.h"
#include "ui/format/cell_format.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::CellValue;
using analysis::Column;

class CellFormatTest : public QObject {
    Q_OBJECT
  private slots:
    void readsLikeItsKind() {
        QCOMPARE(formatCell(Column::Size, CellValue(std::int64_t{132120576})), "126.0 MB");
        QCOMPARE(formatExactCell(Column::Size, CellValue(std::int64_t{132120576})), "132,120,576 B");
        QCOMPARE(formatCell(Column::ImpactingSize, CellValue(std::int64_t{-10485760})), "−10.0 MB");
        QCOMPARE(formatCell(Column::Count, CellValue(std::int64_t{5002})), "5,002");
        QCOMPARE(formatCell(Column::BeginTime, CellValue(TraceTime{17'000'000'000})), "17.000000 s");
        QCOMPARE(formatCell(Column::Handle, CellValue(std::int64_t{0x1D0000})), "0x1d0000");
        QCOMPARE(formatCell(Column::FreeType, CellValue(std::string("Process exit"))), "Process exit");
        QCOMPARE(formatCell(Column::EndTime, CellValue()), "");
    }
    void leavesAFixedUnitToTheTitle() {
        const CellValue size(std::int64_t{132120576});
        QCOMPARE(formatCell(Column::Size, size, {ColumnUnit::Megabytes, -1}), "126.0");
        QCOMPARE(formatCell(Column::Size, size, {ColumnUnit::Kilobytes, 0}), "129,024");
        QCOMPARE(formatCell(Column::Size, size, {ColumnUnit::Gigabytes, -1}), "0.123");
        QCOMPARE(formatCell(Column::Size, size, {ColumnUnit::Bytes, -1}), "132,120,576");
        QCOMPARE(formatCell(Column::ImpactingSize, CellValue(std::int64_t{-1536}), {ColumnUnit::Kilobytes, 1}), "−1.5");
        QCOMPARE(formatCell(Column::ImpactingSize, CellValue(std::int64_t{-1}), {ColumnUnit::Megabytes, 1}), "0.0");
        QCOMPARE(formatCell(Column::LifeTime, CellValue(std::int64_t{1'500'000}), {ColumnUnit::Milliseconds, 1}),
                 "1.5");
        QCOMPARE(formatCell(Column::BeginTime, CellValue(TraceTime{1'500'000'000}), {ColumnUnit::Microseconds, -1}),
                 "1,500,000");
        QCOMPARE(formatCell(Column::EndTime, CellValue(kBeforeTrace), {ColumnUnit::Seconds, 3}), "before the trace");
    }
    void takesDecimalsAlsoWhereTheUnitAdapts() {
        QCOMPARE(formatCell(Column::Size, CellValue(std::int64_t{1700}), {ColumnUnit::Own, 3}), "1.660 KB");
        QCOMPARE(formatCell(Column::Size, CellValue(std::int64_t{1048575}), {ColumnUnit::Own, 3}), "1,023.999 KB");
        QCOMPARE(formatCell(Column::BeginTime, CellValue(TraceTime{17'123'000'000}), {ColumnUnit::Own, 1}), "17.1 s");
    }
    void writesTimesOfDay() {
        const TimeBase base{133'590'385'535'000'000, 0};
        QCOMPARE(formatCell(Column::BeginTime, CellValue(TraceTime{0}), {ColumnUnit::WallClock, 3}, base),
                 "2024-05-01 12:02:33.500");
    }
    void writesAddressesAndIdsBothWays() {
        const CellValue handle(std::int64_t{0x1D0000});
        QCOMPARE(formatCell(Column::Handle, CellValue(std::int64_t{-1}), {}), "0xffffffffffffffff");
        QCOMPARE(formatCell(Column::Address, handle, {ColumnUnit::Decimal, -1}), "1900544");
        QCOMPARE(formatCell(Column::Thread, CellValue(std::int64_t{4242})), "4242");
        QCOMPARE(formatCell(Column::Thread, CellValue(std::int64_t{4242}), {ColumnUnit::Hexadecimal, -1}), "0x1092");
        QCOMPARE(formatCell({Column::Thread, analysis::Aggregation::UniqueCount}, CellValue(std::int64_t{4242})),
                 "4,242");
    }
    void ignoresUnitsThatAColumnDoesNotHave() {
        QCOMPARE(formatCell(Column::Count, CellValue(std::int64_t{5002}), {ColumnUnit::Megabytes, 1}), "5,002");
        QCOMPARE(formatCell({Column::Size, analysis::Aggregation::Count}, CellValue(std::int64_t{7}),
                            {ColumnUnit::Kilobytes, 1}),
                 "7");
    }
    void definesTheTypesInWords() {
        const auto aifo = static_cast<std::uint64_t>(analysis::RowType::AIFO);
        const auto transient = static_cast<std::uint64_t>(analysis::Impact::Transient);
        QVERIFY(definitionOf(Column::Type, aifo).contains("outstanding"));
        QVERIFY(definitionOf(Column::ImpactingType, transient).contains("inside the interval"));
        QVERIFY(definitionOf(Column::Memory, 1).isEmpty());
        QVERIFY(definitionOf(Column::Process, transient).isEmpty());
    }
    void definesColumnsInWords() {
        QVERIFY(definitionOf(analysis::Table::Heap, Column::Handle).startsWith("The handle of the heap"));
        QVERIFY(definitionOf(analysis::Table::Heap, Column::Pid).endsWith('.'));
    }
    void formatsZero() {
        QVERIFY(isZero(CellValue(std::int64_t{0})));
        QVERIFY(!isZero(CellValue()));
        QVERIFY(!isZero(CellValue(TraceTime{0})));
    }
};
HIGHWATER_TEST(CellFormatTest);
#include "cell_format_test.moc"
