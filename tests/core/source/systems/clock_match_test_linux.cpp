#include "core/source/systems/clock_match_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <chrono>

using namespace highwater::source;

namespace {

std::int64_t nowNs() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

} // namespace

class ClockMatchTest : public QObject {
    Q_OBJECT

  private slots:
    void instantsAreInterpolated() {
        const ClockPair before{1'000, 50}, after{3'000, 1'050};
        QCOMPARE(ticksAt(1'000, before, after), 50);
        QCOMPARE(ticksAt(2'000, before, after), 550);
        QCOMPARE(ticksAt(3'000, before, after), 1'050);
    }
    void instantsOutsideAreThoseOfTheNearestReading() {
        const ClockPair before{1'000, 50}, after{3'000, 1'050};
        QCOMPARE(ticksAt(0, before, after), 50);
        QCOMPARE(ticksAt(9'000, before, after), 1'050);
        QCOMPARE(ticksAt(1'000, before, before), 50);
        QCOMPARE(ticksAt(2'000, after, before), 1'050); // the clock went back
    }
    void aClockIsReadWithTheOther() {
        const auto clock = [] { return nowNs() / 3; };
        const auto before = readTogether(clock);
        QTest::qSleep(5);
        const auto instant = nowNs();
        QTest::qSleep(5);
        const auto found = ticksAt(instant, before, readTogether(clock));
        QVERIFY2(qAbs(found - instant / 3) < 20'000, qPrintable(QString::number(found - instant / 3)));
    }
};
HIGHWATER_TEST(ClockMatchTest);

#include "clock_match_test_linux.moc"
