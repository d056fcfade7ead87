#include "core/source/agent/agent_clock_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace highwater;
using namespace highwater::source;

class AgentClockTest : public QObject {
    Q_OBJECT
  private slots:
    void ticksAreTimesOfTheSystem() {
        const AgentClock clock;
        const auto before = static_cast<std::int64_t>(agent::monotonicNs());
        const auto tick = clock.now();
        const auto after = static_cast<std::int64_t>(agent::monotonicNs());
        constexpr std::int64_t kExactNs = 100'000; // it was measured for some milliseconds
        QVERIFY(clock.nsAt(tick) >= before - kExactNs && clock.nsAt(tick) <= after + kExactNs);
    }

    // Events that are read seconds late get the times that they would have had at once, in order.
    void timesStayWhenTheClocksAreCompared() {
        AgentClock clock;
        std::vector<std::uint64_t> ticks;
        std::vector<std::int64_t> times;
        for (int step = 0; step < 230; ++step) {
            clock.adjust();
            ticks.push_back(clock.now());
            times.push_back(clock.nsAt(ticks.back()));
            QTest::qSleep(10);
        }
        QVERIFY(std::ranges::is_sorted(times));
        for (std::size_t i = 0; i < ticks.size(); ++i)
            QCOMPARE(clock.nsAt(ticks[i]), times[i]);
        // One tick apart, over all comparisons.
        for (std::size_t i = 1; i < ticks.size(); ++i)
            QVERIFY(clock.nsAt(ticks[i] - 1) <= clock.nsAt(ticks[i]));
    }
};

HIGHWATER_TEST(AgentClockTest);
#include "agent_clock_test_linux.moc"
