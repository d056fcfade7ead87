#include "core/analysis/leaks/leak_evidence.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr auto kLongest = std::numeric_limits<std::int64_t>::max();

/// Durations of all lengths, including short ones and those at the edges of steps.
std::vector<std::int64_t> randomDurations(std::mt19937_64& random) {
    std::vector<std::int64_t> durations{0, 3, 4, 7, 8, kLongest};
    durations.resize(1 + random() % durations.size());
    for (auto more = random() % 300; more > 0; --more)
        durations.push_back(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
    std::sort(durations.begin(), durations.end());
    return durations;
}

std::uint64_t countOver(const std::vector<std::int64_t>& durations, double limit) {
    return static_cast<std::uint64_t>(std::count_if(
        durations.begin(), durations.end(), [limit](auto duration) { return static_cast<double>(duration) > limit; }));
}

Durations durationsOf(const std::vector<std::int64_t>& values) {
    Durations durations;
    for (const auto value : values)
        durations.add(value);
    return durations;
}

constexpr LeakPeriod kPeriod{TraceTime{100}, TraceTime{420}}; // slices of 10

} // namespace

class LeakEvidenceTest : public QObject {
    Q_OBJECT
  private slots:
    void quantilesAreRightToAFifth() {
        std::mt19937_64 random(1);
        for (int round = 0; round < 300; ++round) {
            const auto values = randomDurations(random);
            const auto durations = durationsOf(values);
            QCOMPARE(durations.count(), values.size());
            for (const double share : {0.01, 0.5, 0.95, 1.0}) {
                const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
                const auto exact = values[std::max<std::size_t>(rank, 1) - 1];
                const auto told = durations.quantile(share);
                QVERIFY(told >= exact);
                QVERIFY(static_cast<double>(told) <= static_cast<double>(exact) * 1.25);
            }
        }
    }
    void countsWhatIsLonger() {
        std::mt19937_64 random(2);
        for (int round = 0; round < 300; ++round) {
            const auto values = randomDurations(random);
            const auto durations = durationsOf(values);
            for (const auto limit : values) {
                const auto told = durations.countAbove(limit);
                QVERIFY(told <= countOver(values, static_cast<double>(limit)));
                QVERIFY(told >= countOver(values, static_cast<double>(limit) * 1.25));
            }
        }
    }
    void shortDurationsAndTheLongestAreExact() {
        for (const std::int64_t value :
             {std::int64_t{0}, std::int64_t{3}, std::int64_t{4}, std::int64_t{7}, kLongest}) {
            QCOMPARE(durationsOf({value}).quantile(0.95), value);
            QCOMPARE(durationsOf({value}).countAbove(value), std::uint64_t{0});
        }
        QCOMPARE(durationsOf({3, 4, 7, 8}).countAbove(3), std::uint64_t{3});
        QCOMPARE(durationsOf({3, 4, 7, 8}).countAbove(7), std::uint64_t{1});
        QCOMPARE(durationsOf({-5}).quantile(1), std::int64_t{0});
        QCOMPARE(Durations().quantile(0.95), std::int64_t{0});
    }
    void slicesBeginAtTheirStarts() {
        QCOMPARE(kPeriod.startOf(0), kPeriod.start);
        QCOMPARE(kPeriod.startOf(LeakPeriod::kSlices), kPeriod.end);
        for (std::size_t i = 0; i < LeakPeriod::kSlices; ++i) {
            QCOMPARE(kPeriod.sliceOf(kPeriod.startOf(i)), i);
            QCOMPARE(kPeriod.sliceOf(TraceTime{kPeriod.startOf(i + 1).ns - 1}), i);
        }
        QCOMPARE(kPeriod.sliceOf(kPeriod.end), LeakPeriod::kSlices - 1);
        const LeakPeriod shortest{TraceTime{5}, TraceTime{6}};
        QCOMPARE(shortest.sliceOf(TraceTime{5}), std::size_t{0});
    }
    void whatIsOlderThanThePeriodOpensIt() {
        LeakEvidence evidence;
        evidence.add({kBeforeTrace, kNever, 50, 40, 30}, kPeriod, {});
        evidence.add({TraceTime{99}, TraceTime{110}, 7, 7, 0}, kPeriod, {});
        evidence.addRelease(TraceTime{110}, 7, kPeriod);
        evidence.addRelease(TraceTime{99}, 10, kPeriod); // before: the row has it
        evidence.addRelease(TraceTime{200}, 10, kPeriod);
        evidence.addRelease(TraceTime{420}, 10, kPeriod); // after it
        QCOMPARE(evidence.opening, ByteCount{47});
        QCOMPARE(evidence.keptCount, std::uint64_t{0});
        QCOMPARE(evidence.madeCount, std::uint64_t{0});
        QCOMPARE(evidence.outstandingCount, std::uint64_t{1});
        QCOMPARE(evidence.freedCount, std::uint64_t{1});
        QCOMPARE(evidence.levels().front(), 47.0);
        QCOMPARE(evidence.levels().back(), 30.0);
        QCOMPARE(evidence.lifetimes.count(), std::uint64_t{1});
    }
    void theLowPointsAreThoseOfKeptRows() {
        LeakEvidence evidence;
        evidence.add({TraceTime{50}, kNever, 70, 70, 70}, kPeriod, {});
        evidence.add({TraceTime{105}, kNever, 8, 8, 5}, kPeriod, {}); // a part of it was released
        evidence.add({TraceTime{106}, TraceTime{200}, 30, 30, 0}, kPeriod, {});
        evidence.addRelease(TraceTime{200}, 30, kPeriod);
        evidence.add({TraceTime{419}, kNever, 2, 2, 2}, kPeriod, {});
        const auto low = evidence.lowPoints();
        QCOMPARE(low.size(), evidence.levels().size());
        QCOMPARE(low.front(), 70.0);
        QCOMPARE(low[1], 75.0);
        QCOMPARE(low[31], 75.0);
        QCOMPARE(low.back(), evidence.levels().back() - 3);
        evidence += evidence;
        QCOMPARE(evidence.lowPoints().back(), 154.0);
    }
    /// A row of unknown start is at least as old as the period. Lost frees, and frees as a program ends, show no age.
    void theLongestLifeIsThatOfAFreedRow() {
        LeakEvidence evidence;
        QCOMPARE(evidence.longestLife, std::int64_t{0});
        evidence.add({TraceTime{200}, TraceTime{215}, 1, 1, 0}, kPeriod, {});
        evidence.add({TraceTime{101}, kNever, 1, 1, 1}, kPeriod, {});
        evidence.add({TraceTime{101}, TraceTime{415}, 1, 1, 0}, kPeriod, {});
        evidence.add({TraceTime{101}, TraceTime{300}, 1, 1, 0, true}, kPeriod, {});
        QCOMPARE(evidence.longestLife, std::int64_t{15});
        evidence.add({kBeforeTrace, TraceTime{120}, 1, 1, 0}, kPeriod, {});
        QCOMPARE(evidence.longestLife, std::int64_t{20});
        evidence.add({TraceTime{80}, TraceTime{110}, 1, 1, 0}, kPeriod, {});
        LeakEvidence all;
        all += evidence;
        QCOMPARE(all.longestLife, std::int64_t{30});
    }
    void keptRowsAreCountedByMarksAfterThem() {
        LeakEvidence evidence;
        const std::vector<TraceTime> marks{TraceTime{150}, TraceTime{250}};
        for (const std::int64_t begin : {100, 150, 151, 300})
            evidence.add({TraceTime{begin}, kNever, 1, 0, 1}, kPeriod, marks);
        QCOMPARE(evidence.keptByMarks, (std::vector<std::uint64_t>{1, 2, 1}));
        QCOMPARE(evidence.firstKept, TraceTime{100});
        QCOMPARE(evidence.lastKept, TraceTime{300});
    }
    void sumsAreThoseOfAllRows() {
        LeakEvidence all, first, second;
        for (std::int64_t i = 0; i < 100; ++i) {
            const LeakRow row{
                TraceTime{100 + i * 3}, i % 3 == 0 ? TraceTime{101 + i * 3} : kNever, 8, 8, 8, i % 6 == 0};
            all.add(row, kPeriod, {});
            (i % 2 == 0 ? first : second).add(row, kPeriod, {});
        }
        first += second;
        QCOMPARE(first.keptCount, all.keptCount);
        QCOMPARE(first.lostCount, all.lostCount);
        QCOMPARE(first.freedCount, all.freedCount);
        QCOMPARE(first.keptByMarks, all.keptByMarks);
        QCOMPARE(first.levels(), all.levels());
        QCOMPARE(first.firstMade, all.firstMade);
        QCOMPARE(first.lastKept, all.lastKept);
    }
};

HIGHWATER_TEST(LeakEvidenceTest);
#include "leak_evidence_test.moc"
