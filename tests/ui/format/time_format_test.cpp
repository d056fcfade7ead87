#include "tests/support/test_registry.h"
#include "ui/format/time_format.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;

class TimeFormatTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsMicroseconds() {
        QCOMPARE(formatTime(TraceTime{12'345'678'000}), "12.345678 s");
        QCOMPARE(formatTime(TraceTime{12'345'678'499}), "12.345678 s");
        QCOMPARE(formatTime(TraceTime{12'345'678'500}), "12.345679 s");
        QCOMPARE(formatTime(TraceTime{-1'500'000'000}), "−1.500000 s");
        QCOMPARE(formatTime(TraceTime{-1}), "0.000000 s");
    }
    void knowsTheTimesThatAreNone() {
        QCOMPARE(formatTime(kNever), "");
        QCOMPARE(formatTime(kBeforeTrace), "before the trace");
    }
    void tellsNanosecondsWhenExact() { QCOMPARE(formatExactTime(TraceTime{14'000'000'001}), "14.000000001 s"); }
    void choosesTheUnitOfADuration() {
        QCOMPARE(formatDuration(850), "850 ns");
        QCOMPARE(formatDuration(12'500), "12.5 µs");
        QCOMPARE(formatDuration(100'000'000), "100.0 ms");
        QCOMPARE(formatDuration(999'960'000), "1.000 s");
        QCOMPARE(formatDuration(11'500'000'000), "11.500 s");
    }
    void keepsTicksShort() {
        QCOMPARE(formatTick(TraceTime{15'000'000'000}, 5'000'000'000), "15 s");
        QCOMPARE(formatTick(TraceTime{14'200'000'000}, 100'000'000), "14.2 s");
        QCOMPARE(formatTick(TraceTime{14'002'000'000}, 2'000'000), "14.002 s");
    }
};
HIGHWATER_TEST(TimeFormatTest);
#include "time_format_test.moc"
