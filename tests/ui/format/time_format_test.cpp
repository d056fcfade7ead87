#include "tests/support/test_registry.h"
#include "ui/format/time_format.h"

#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::ui;

class TimeFormatTest : public QObject {
    Q_OBJECT
  private slots:
    void sentencesHaveTwoDecimals() {
        QCOMPARE(formatBriefTime(TraceTime{12'345'678'000}), "12.35 s");
        QCOMPARE(formatBriefTime(kBeforeTrace), formatTime(kBeforeTrace));
        QCOMPARE(formatBriefTime(kNever), "");
    }
    void formatsMicroseconds() {
        QCOMPARE(formatTime(TraceTime{12'345'678'000}), "12.345678 s");
        QCOMPARE(formatTime(TraceTime{12'345'678'499}), "12.345678 s");
        QCOMPARE(formatTime(TraceTime{12'345'678'500}), "12.345679 s");
        QCOMPARE(formatTime(TraceTime{-1'500'000'000}), "−1.500000 s");
        QCOMPARE(formatTime(TraceTime{-1}), "0.000000 s");
    }
    void recognizesTimesThatAreUnset() {
        QCOMPARE(formatTime(kNever), "");
        QCOMPARE(formatTime(kBeforeTrace), "before the trace");
    }
    void formatsNanosecondsWhenExact() { QCOMPARE(formatExactTime(TraceTime{14'000'000'001}), "14.000000001 s"); }
    void theTwoTimesOfARangeLookDifferent() {
        QCOMPARE(formatRange({TraceTime{1'000'000'000}, TraceTime{2'500'000'000}}), "1.000000 s to 2.500000 s");
        QCOMPARE(formatRange({TraceTime{21'300'000}, TraceTime{21'300'200}}), "0.021300000 s to 0.021300200 s");
        QCOMPARE(formatRange({TraceTime{1'000}, TraceTime{1'000}}), "0.000001 s to 0.000001 s"); // an instant
        QCOMPARE(formatTimes(kBeforeTrace, TraceTime{7}).first, "before the trace");
    }
    void choosesTheUnitOfADuration() {
        QCOMPARE(formatDuration(850), "850 ns");
        QCOMPARE(formatDuration(12'500), "12.5 µs");
        QCOMPARE(formatDuration(100'000'000), "100.0 ms");
        QCOMPARE(formatDuration(999'960'000), "1.000 s");
        QCOMPARE(formatDuration(11'500'000'000), "11.500 s");
        QCOMPARE(formatDuration(12'345, 2), "12.35 µs");
        QCOMPARE(formatDuration(11'500'000'000, 0), "12 s");
    }
    void countsUnitsWithoutNamingThem() {
        QCOMPARE(formatInUnit(1'500'000, 1'000'000, 1), "1.5");
        QCOMPARE(formatInUnit(1'500'000, 1'000'000, 0), "2");
        QCOMPARE(formatInUnit(-1'234'567'890, 1'000, 3), "−1,234,567.890");
        QCOMPARE(formatInUnit(-4, 1'000, 2), "0.00");
        QCOMPARE(formatInUnit(7, 1'000, 9), "0.007");
        QCOMPARE(formatInUnit(std::numeric_limits<std::int64_t>::min(), 1'000'000'000, 9), "−9,223,372,036.854775808");
    }
    void showsTheClockOfTheTracedMachine() {
        // 2024-05-01 12:02:33.5 UTC on a machine two hours ahead of it.
        const TimeBase base{133'590'385'535'000'000, -120};
        QCOMPARE(formatWallClock(TraceTime{0}, base, 1), "2024-05-01 14:02:33.5");
        QCOMPARE(formatWallClock(TraceTime{500'000'000}, base, 0), "2024-05-01 14:02:34");
        QCOMPARE(formatWallClock(TraceTime{1'234'567'890}, base), "2024-05-01 14:02:34.734567");
        QCOMPARE(formatWallClock(TraceTime{-600'000'000}, base, 7), "2024-05-01 14:02:32.9000000");
        QCOMPARE(formatWallClock(kNever, base), "");
        QCOMPARE(formatWallClock(TraceTime{1'000'000'000}, {}), "1.000000 s");
    }
    void keepsTicksShort() {
        QCOMPARE(formatTick(TraceTime{15'000'000'000}, 5'000'000'000), "15 s");
        QCOMPARE(formatTick(TraceTime{14'200'000'000}, 100'000'000), "14.2 s");
        QCOMPARE(formatTick(TraceTime{14'002'000'000}, 2'000'000), "14.002 s");
    }
};
HIGHWATER_TEST(TimeFormatTest);
#include "time_format_test.moc"
