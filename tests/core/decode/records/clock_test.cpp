#include "core/decode/records/clock.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;
using decode::Clock;

namespace {

constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();

Clock clockOf(std::int64_t ticksPerSecond, std::int64_t firstTicks = 0, ClockKind kind = ClockKind::Qpc) {
    TraceProperties properties;
    properties.clock = kind;
    properties.ticksPerSecond = ticksPerSecond;
    properties.firstTicks = firstTicks;
    return Clock(properties);
}

} // namespace

class ClockTest : public QObject {
    Q_OBJECT
  private slots:
    void multipliesWhenATickIsAWholeNumberOfNanoseconds() {
        const auto clock = clockOf(10'000'000, 1000);
        QCOMPARE(clock.toTime(1000).ns, std::int64_t{0});
        QCOMPARE(clock.toTime(1001).ns, std::int64_t{100});
        QCOMPARE(clock.toTime(999).ns, std::int64_t{-100});
        QCOMPARE(clock.toTime(10'001'000).ns, std::int64_t{1'000'000'000});
    }
    void countsFileTimeTicksOfTheSystemClock() {
        const auto clock = clockOf(10'000'000, 133'000'000'000'000'000, ClockKind::SystemTime);
        QCOMPARE(clock.toTime(133'000'000'000'000'015).ns, std::int64_t{1500});
    }
    void isExactForOddFrequencies() {
        // 2,338,352 ticks/s: one tick is 427.65... ns; 2,338,352 ticks are exactly one second.
        const auto clock = clockOf(2'338'352);
        QCOMPARE(clock.toTime(1).ns, std::int64_t{427});
        QCOMPARE(clock.toTime(-1).ns, std::int64_t{-428}); // rounded down on both sides of 0
        QCOMPARE(clock.toTime(2'338'352).ns, std::int64_t{1'000'000'000});
        QCOMPARE(clock.toTime(std::int64_t{2'338'352} * 1'000'000'000).ns, std::int64_t{1'000'000'000'000'000'000});
    }
    void isExactForCyclesOfAFastProcessor() {
        const auto clock = clockOf(3'300'000'000, 33, ClockKind::CpuCycle);
        QCOMPARE(clock.toTime(33 + 33).ns, std::int64_t{10});
        QCOMPARE(clock.toTime(33 + 3'300'000'000 * 86'400).ns, std::int64_t{86'400'000'000'000});
    }
    void saturatesWithoutReachingTheTwoReservedTimes() {
        for (const std::int64_t frequency : {std::int64_t{1}, std::int64_t{10'000'000}, std::int64_t{2'338'352}}) {
            const auto late = clockOf(frequency, kMin);
            QVERIFY(late.toTime(kMax) < kNever);
            QVERIFY(late.toTime(kMax).ns > kMax / 2 - 10);
            const auto early = clockOf(frequency, kMax);
            QVERIFY(early.toTime(kMin) > kBeforeTrace);
            QVERIFY(early.toTime(kMin).ns < kMin / 2 + 10);
            std::int64_t longest = 0;
            QVERIFY(!__builtin_sub_overflow(late.endAfter(kMax).ns, early.toTime(kMin).ns, &longest));
        }
    }
    void survivesAbsurdFrequencies() {
        QCOMPARE(clockOf(kMax).toTime(kMax).ns, std::int64_t{1'000'000'000});
        QCOMPARE(clockOf(0).toTime(1).ns, std::int64_t{100});
        QCOMPARE(clockOf(-5).toTime(1).ns, std::int64_t{100});
    }
    void endsOneTickAfterTheLastRecord() {
        QCOMPARE(clockOf(10'000'000, 50).endAfter(60).ns, std::int64_t{1100});
        QCOMPARE(clockOf(3).endAfter(0).ns, std::int64_t{333'333'333});
    }
    void endsAtLeastOneNanosecondLater() {
        QCOMPARE(clockOf(3'000'000'000).endAfter(0).ns, std::int64_t{1}); // a tick is a third of a nanosecond
        const auto clock = clockOf(10'000'000);
        QVERIFY(clock.endAfter(kMax) > clock.toTime(kMax));
        QVERIFY(clock.endAfter(kMax) < kNever);
    }
    void convertsDurationsToTicks() {
        QCOMPARE(clockOf(10'000'000).ticksIn(500'000'000), std::int64_t{5'000'000});
        QCOMPARE(clockOf(1).ticksIn(999'999'999), std::int64_t{0});
        QCOMPARE(clockOf(kMax).ticksIn(kMax), kMax);
    }
};
HIGHWATER_TEST(ClockTest);
#include "clock_test.moc"
