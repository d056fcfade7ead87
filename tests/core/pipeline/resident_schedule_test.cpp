#include "core/pipeline/resident_schedule.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <map>

using namespace highwater;
using namespace highwater::pipeline;
using namespace std::chrono_literals;

namespace {

using Time = ResidentSchedule::Clock::time_point;
using Outcome = ResidentSchedule::Outcome;

/// Samples whenever the schedule wants it, without real time. Each costs the same.
struct SampledTime {
    ResidentSchedule schedule{};
    ResidentSchedule::Cost cost{};
    Time now{1000s};
    std::map<std::uint32_t, int> samples{};

    void run(std::chrono::seconds duration) {
        const auto end = now + duration;
        for (auto next = schedule.next(); next < end; next = schedule.next()) {
            now = std::max(now, next);
            const auto pid = schedule.due(now);
            QVERIFY(pid.has_value());
            ++samples[*pid];
            now += cost.time;
            schedule.noteSampled(*pid, Outcome::Sampled, cost, now);
        }
        now = std::max(now, end);
    }
};

} // namespace

class ResidentScheduleTest : public QObject {
    Q_OBJECT
  private slots:
    void aCheapProcessIsSampledOnceASecond() {
        SampledTime time{.cost = {1ms, 1000}};
        time.schedule.add({7}, time.now);
        time.run(100s);
        QVERIFY(time.samples[7] >= 99 && time.samples[7] <= 100);
    }
    void timeIsLimited() {
        SampledTime time{.cost = {20ms, 1000}};
        time.schedule.add({7}, time.now);
        time.run(400s);
        QVERIFY(time.samples[7] >= 99 && time.samples[7] <= 100); // one in 4 s: 0.5 %
    }
    void recordsAreLimited() {
        SampledTime time{.cost = {1ms, 10u << 20}};
        time.schedule.add({7}, time.now);
        time.run(1000s);
        QVERIFY(time.samples[7] >= 99 && time.samples[7] <= 101);
    }
    void theLimitIsForAllProcessesTogether() {
        SampledTime time{.cost = {20ms, 1000}};
        time.schedule.add({1, 2, 3, 4}, time.now);
        time.schedule.add({2, 3}, time.now); // known
        time.run(400s);
        int sum = 0;
        for (const auto& [pid, samples] : time.samples) {
            QVERIFY(samples >= 24 && samples <= 26);
            sum += samples;
        }
        QVERIFY(sum >= 99 && sum <= 101);
    }
    void aRequestComesSooner() {
        SampledTime time{.cost = {20ms, 1000}};
        time.schedule.add({7}, time.now);
        time.run(1s);
        QCOMPARE(time.samples[7], 1);
        time.schedule.ask();
        QCOMPARE(time.schedule.due(time.now), std::optional(7u));
        time.run(1s);
        QCOMPARE(time.samples[7], 2);
        time.run(6s); // two samples took the time of two: the next regular one is at 8 s
        QCOMPARE(time.samples[7], 2);
        time.run(1s);
        QCOMPARE(time.samples[7], 3);
    }
    void requestsAreLimitedToo() {
        SampledTime time{.cost = {20ms, 1000}};
        time.schedule.add({7}, time.now);
        for (int i = 0; i < 10; ++i) {
            time.schedule.ask();
            time.run(1s);
        }
        time.samples.clear();
        for (int i = 0; i < 1000; ++i) {
            time.schedule.ask();
            time.schedule.ask();
            if (const auto pid = time.schedule.due(time.now)) {
                ++time.samples[*pid];
                time.schedule.noteSampled(*pid, Outcome::Sampled, time.cost, time.now);
            }
            time.now += 10ms;
        }
        QVERIFY(time.samples[7] >= 24 && time.samples[7] <= 26); // 10 s, one in 400 ms
    }
    void processesThatEndedAreForgotten() {
        ResidentSchedule schedule;
        Time now{1000s};
        QCOMPARE(schedule.next(), Time::max());
        QVERIFY(!schedule.due(now));
        schedule.add({7, 8}, now);
        schedule.noteSampled(7, Outcome::Failed, {}, now);
        QCOMPARE(schedule.processes(), std::vector<std::uint32_t>{8});
        for (const auto outcome : {Outcome::Nothing, Outcome::Nothing, Outcome::Sampled, Outcome::Nothing,
                                   Outcome::Nothing, Outcome::Nothing}) {
            QCOMPARE(schedule.processes().size(), std::size_t{1});
            schedule.noteSampled(8, outcome, {}, now += 1s);
        }
        QCOMPARE(schedule.processes().size(), std::size_t{0});
        schedule.add({8}, now); // the system has assigned the pid again
        QCOMPARE(schedule.due(now), std::optional(8u));
        schedule.noteSampled(99, Outcome::Sampled, {}, now); // unknown
    }
};

HIGHWATER_TEST(ResidentScheduleTest);
#include "resident_schedule_test.moc"
