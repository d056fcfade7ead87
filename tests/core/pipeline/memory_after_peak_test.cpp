#include <QTest> // first, because moc of Qt 6.4 cannot read <chrono> on its own

#include "core/pipeline/memory_after_peak.h"

#include "tests/support/test_registry.h"

using namespace highwater::pipeline;
using namespace std::chrono_literals;

class MemoryAfterPeakTest : public QObject {
    Q_OBJECT

    using Clock = MemoryAfterPeak::Clock;
    const Clock::time_point begin_{};

    /// The number of times it is due while this many records arrive four times a second, for this long.
    static int dueIn(MemoryAfterPeak& memory, Clock::time_point& now, std::uint64_t records,
                     std::chrono::seconds time) {
        int due = 0;
        for (const auto end = now + time; now < end; now += 250ms)
            if (memory.isDue(records, now)) ++due;
        return due;
    }

  private slots:
    void isGivenBackOnceAfterASurge() {
        auto now = begin_;
        MemoryAfterPeak memory(now);
        QCOMPARE(dueIn(memory, now, 250'000, 5s), 0);
        QCOMPARE(dueIn(memory, now, 0, 4s), 0);
        QCOMPARE(dueIn(memory, now, 0, 1s), 1);
        QCOMPARE(dueIn(memory, now, 0, 3600s), 0);
    }
    void aTrickleIsQuiet() {
        auto now = begin_;
        MemoryAfterPeak memory(now);
        QCOMPARE(dueIn(memory, now, 250'000, 5s), 0);
        QCOMPARE(dueIn(memory, now, 1000, 6s), 1);
        QCOMPARE(dueIn(memory, now, 1000, 60s), 0); // all of them need little
    }
    void asLongAsManyComeItIsUsedAgain() {
        auto now = begin_;
        MemoryAfterPeak memory(now);
        for (int turns = 0; turns < 20; ++turns) {
            QCOMPARE(dueIn(memory, now, 250'000, 2s), 0);
            QCOMPARE(dueIn(memory, now, 0, 3s), 0);
        }
    }
    void whatAddsUpSlowlyNeedsNothing() {
        auto now = begin_;
        MemoryAfterPeak memory(now);
        QVERIFY(dueIn(memory, now, 100, 600s) <= 1);
    }
};
HIGHWATER_TEST(MemoryAfterPeakTest);

#include "memory_after_peak_test.moc"
