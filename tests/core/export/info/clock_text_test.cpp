#include "core/export/info/clock_text.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater::exports;

class ClockTextTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsTheClockOfTheZone() {
        constexpr std::int64_t kNewYear2026 = 134'116'992'000'000'000; // 2026-01-01 00:00 UTC
        constexpr std::int64_t kSecond = 10'000'000;
        QCOMPARE(clockText(kNewYear2026, 0), std::string("2026-01-01T00:00:00.000+00:00"));
        QCOMPARE(clockText(kNewYear2026 + kSecond / 4, -60), std::string("2026-01-01T01:00:00.250+01:00"));
        QCOMPARE(clockText(kNewYear2026, 8 * 60), std::string("2025-12-31T16:00:00.000-08:00"));
        QCOMPARE(clockText(kNewYear2026, -330), std::string("2026-01-01T05:30:00.000+05:30"));
    }
    void whatNoClockShowsIsNoTime() {
        QVERIFY(!clockText(0, 0));
        QVERIFY(!clockText(-1, 0));
        QVERIFY(!clockText(std::numeric_limits<std::int64_t>::max(), 0));
        QVERIFY(clockText(1, 24 * 60)); // the day before 1601
        QVERIFY(clockText(std::int64_t{1} << 62, 0));
        QCOMPARE(clockText(10'000'000, std::numeric_limits<std::int32_t>::min()),
                 std::string("1601-01-01T00:00:01.000+00:00")); // no time zone has that offset
    }
};
HIGHWATER_TEST(ClockTextTest);
#include "clock_text_test.moc"
