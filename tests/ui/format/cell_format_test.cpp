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
    void definesTheTypesInWords() {
        QVERIFY(definitionOf(Column::Type, "AIFO").contains("outstanding"));
        QVERIFY(definitionOf(Column::ImpactingType, "Transient").contains("inside the interval"));
        QVERIFY(definitionOf(Column::Process, "Transient").isEmpty());
    }
    void knowsZero() {
        QVERIFY(isZero(CellValue(std::int64_t{0})));
        QVERIFY(!isZero(CellValue()));
        QVERIFY(!isZero(CellValue(TraceTime{0})));
    }
};
HIGHWATER_TEST(CellFormatTest);
#include "cell_format_test.moc"
