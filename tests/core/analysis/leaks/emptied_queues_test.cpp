#include "core/analysis/leaks/leak_verdict.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr ByteCount kSize = 100; ///< bytes of each block

TraceTime momentOf(double seconds) { return TraceTime{static_cast<std::int64_t>(std::llround(seconds * 1e9))}; }

/// A queue that is filled at a constant pace and emptied at once, again and again, by one stack. Some of its blocks are
/// not freed when it is emptied.
struct Queue {
    double period = 2; ///< seconds of a tooth
    double rowsPerTooth = 500;
    double leaked = 0;    ///< share of the blocks
    double start = 0;     ///< of the interval, in teeth
    double teeth = 10;    ///< length of the interval
    double irregular = 0; ///< 0.3: teeth last 0.7 to 1.3 of the period
    bool leaksByChance = false;
    unsigned seed = 1;

    [[nodiscard]] std::string text() const {
        return "period " + std::to_string(period) + ", rows " + std::to_string(rowsPerTooth) + ", leaked " +
               std::to_string(leaked) + ", start " + std::to_string(start) + ", teeth " + std::to_string(teeth) +
               ", irregular " + std::to_string(irregular) + (leaksByChance ? ", by chance" : "") + ", seed " +
               std::to_string(seed);
    }
};

struct Recorded {
    LeakPeriod period;
    LeakEvidence evidence;
    std::uint64_t leakedBefore = 0; ///< rows of the interval that an emptying has not freed
};

Recorded record(const Queue& queue) {
    std::mt19937 random(queue.seed);
    std::uniform_real_distribution<double> part(0, 1);
    Recorded recorded;
    const auto start = momentOf(queue.start * queue.period);
    const auto end = momentOf((queue.start + queue.teeth) * queue.period);
    recorded.period = {start, end};
    double rows = 0;
    double tooth = 0;
    while (momentOf(tooth) < end) {
        const auto next = tooth + queue.period * (1 + queue.irregular * (2 * part(random) - 1));
        const auto emptying = momentOf(next);
        for (auto time = tooth; time < next && momentOf(time) < end; time += queue.period / queue.rowsPerTooth) {
            const auto begin = momentOf(time);
            const bool isLeaked = queue.leaksByChance
                                      ? part(random) < queue.leaked
                                      : std::floor((rows + 1) * queue.leaked) > std::floor(rows * queue.leaked);
            ++rows;
            if (isLeaked && begin >= start && emptying < end) ++recorded.leakedBefore;
            const auto ends = isLeaked || emptying >= end ? kNever : emptying;
            if (ends < start) continue;
            recorded.evidence.add({begin, ends, kSize, kSize, kSize}, recorded.period, {});
            if (ends != kNever) recorded.evidence.addRelease(ends, kSize, recorded.period);
        }
        tooth = next;
    }
    return recorded;
}

LeakJudgement judgementOf(const Recorded& recorded) { return judge(recorded.evidence, recorded.period, {}); }

bool isGrowing(const Recorded& recorded) { return judgementOf(recorded).verdict == LeakVerdict::Growing; }

/// Queues of all periods, paces and lengths that end at every tenth of a tooth.
std::vector<Queue> queuesWith(const Queue& common) {
    std::vector<Queue> queues;
    for (const double period : {0.5, 1.3, 2.0, 5.0}) {
        for (const double rows : {20.0, 100.0, 500.0}) {
            for (const double teeth : {3.0, 4.0, 5.0, 8.0, 15.0, 16.0, 49.0}) {
                for (int tenth = 0; tenth <= 10; ++tenth) {
                    queues.push_back(common);
                    auto& queue = queues.back();
                    queue.period = period;
                    queue.rowsPerTooth = rows;
                    queue.teeth = teeth + tenth / 10.0 - (tenth == 10 ? 1e-6 : 0);
                    queue.seed = static_cast<unsigned>(queues.size());
                }
            }
        }
    }
    return queues;
}

/// Counts failures, and describes the first one.
class Failures {
  public:
    void check(bool isRight, const Queue& queue, const Recorded& recorded) {
        ++checked_;
        if (isRight) return;
        if (failed_++ > 0) return;
        const auto judgement = judgementOf(recorded);
        first_ = queue.text() + ": " + std::string(verdictWord(judgement.verdict)) + ", leaked rows " +
                 std::to_string(recorded.leakedBefore) + ", confidence " + std::to_string(judgement.confidence) +
                 ", bytes/s " + std::to_string(judgement.growth.perSecond);
    }
    [[nodiscard]] int checked() const { return checked_; }
    [[nodiscard]] int failed() const { return failed_; }
    [[nodiscard]] std::string text() const {
        return std::to_string(failed_) + " of " + std::to_string(checked_) + ": " + first_;
    }

  private:
    int checked_ = 0;
    int failed_ = 0;
    std::string first_;
};

} // namespace

/// Queues that are filled and emptied by one stack: what an emptying leaves is a leak, what was added since then is
/// not, at whatever moment the interval ends.
class EmptiedQueuesTest : public QObject {
    Q_OBJECT

    static constexpr double kTeeth = 4;         ///< of the longest period
    static constexpr std::uint64_t kEnough = 6; ///< leaked rows that show growth, if one of n rows is leaked
    static constexpr std::uint64_t kMany = 50;  ///< the same if rows are leaked by chance

    static void addShares() {
        QTest::addColumn<double>("leaked");
        for (const double leaked : {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3})
            QTest::addRow("%g of the blocks", leaked) << leaked;
    }
    static bool isSpecified(const Queue& queue, const Recorded& recorded, std::uint64_t enough) {
        return queue.teeth >= kTeeth * (1 + queue.irregular) && recorded.leakedBefore >= enough;
    }

  private slots:
    void whatEveryEmptyingLeavesIsGrowing_data() { addShares(); }
    void whatEveryEmptyingLeavesIsGrowing() {
        QFETCH(double, leaked);
        Failures failures;
        for (const double start : {0.0, 0.4}) {
            for (const auto& queue : queuesWith({.leaked = leaked, .start = start})) {
                const auto recorded = record(queue);
                if (isSpecified(queue, recorded, kEnough)) failures.check(isGrowing(recorded), queue, recorded);
            }
        }
        QVERIFY(failures.checked() > 500);
        QVERIFY2(failures.failed() == 0, failures.text().c_str());
    }
    /// A last tooth that lasts longer than all others may hide the leak until it is emptied.
    void irregularQueuesThatLeakByChanceAreGrowing_data() { addShares(); }
    void irregularQueuesThatLeakByChanceAreGrowing() {
        QFETCH(double, leaked);
        Failures failures;
        for (const double irregular : {0.0, 0.3}) {
            const Queue common{.leaked = leaked, .start = 0.4, .irregular = irregular, .leaksByChance = true};
            for (const auto& queue : queuesWith(common)) {
                const auto recorded = record(queue);
                if (isSpecified(queue, recorded, kMany)) failures.check(isGrowing(recorded), queue, recorded);
            }
        }
        QVERIFY(failures.checked() > 50);
        QVERIFY2(failures.failed() * 200 <= failures.checked(), failures.text().c_str());
    }
    void aCleanQueueNeverGrows() {
        Failures failures;
        for (const double irregular : {0.0, 0.3, 0.6}) {
            for (const double start : {0.0, 0.4}) {
                for (const auto& queue : queuesWith({.start = start, .irregular = irregular})) {
                    const auto recorded = record(queue);
                    failures.check(!isGrowing(recorded), queue, recorded);
                }
            }
        }
        QVERIFY2(failures.failed() == 0, failures.text().c_str());
    }
    /// Neither the rate nor the bytes contain the tooth that is not over yet.
    void theLeakIsTheRiseOfTheLowPoints() {
        Failures rates, bytes;
        for (const double leaked : {0.02, 0.1}) {
            for (const auto& queue : queuesWith({.leaked = leaked})) {
                const auto recorded = record(queue);
                if (!isSpecified(queue, recorded, 4 * kEnough)) continue;
                const auto judgement = judgementOf(recorded);
                const auto perSecond = queue.leaked * queue.rowsPerTooth / queue.period * kSize;
                rates.check(std::abs(judgement.growth.perSecond / perSecond - 1) < 0.2 &&
                                judgement.growth.low <= perSecond * 1.1 && judgement.growth.high >= perSecond * 0.9,
                            queue, recorded);
                const auto& point = judgement.lowPoint;
                if (!point) continue; // nearly all that is kept was leaked
                bytes.check(point->keptCount <= recorded.leakedBefore && point->keptBytes == point->keptCount * kSize &&
                                std::abs(static_cast<double>(point->keptCount) -
                                         leaked * static_cast<double>(point->madeCount)) <= 1,
                            queue, recorded);
            }
        }
        QVERIFY(rates.checked() > 500 && bytes.checked() > 500);
        QVERIFY2(rates.failed() == 0, rates.text().c_str());
        QVERIFY2(bytes.failed() == 0, bytes.text().c_str());
    }
    /// Some live long, at any time: what is older than usual is no leak while others of its age are freed.
    void aCacheOfBlocksThatLiveForDifferentTimesIsNoQueue() {
        int growing = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            std::mt19937 random(seed);
            std::exponential_distribution<double> life(1);
            std::uniform_real_distribution<double> part(0, 1);
            Recorded recorded;
            recorded.period = {momentOf(0), momentOf(20 + seed)};
            for (double time = 0; time < 20 + seed; time += 0.02) {
                const auto end = momentOf(time + life(random) * (part(random) < 0.05 ? 10 : 1));
                const auto ends = end < recorded.period.end ? end : kNever;
                recorded.evidence.add({momentOf(time), ends, kSize, kSize, kSize}, recorded.period, {});
                if (ends != kNever) recorded.evidence.addRelease(ends, kSize, recorded.period);
            }
            growing += isGrowing(recorded);
        }
        QCOMPARE(growing, 0);
    }
};

HIGHWATER_TEST(EmptiedQueuesTest);
#include "emptied_queues_test.moc"
