#include "core/analysis/leaks/leak_sentence.h"
#include "core/analysis/leaks/leak_verdict.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cmath>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr double kForGood = 1e6;
constexpr double kLength = 32; ///< seconds: slices of one second

TraceTime momentOf(double seconds) { return TraceTime{static_cast<std::int64_t>(std::llround(seconds * 1e9))}; }

/// The rows of one stack, of 100 bytes each.
class Story {
  public:
    LeakPeriod period{momentOf(0), momentOf(kLength)};
    LeakEvidence evidence;

    Story& block(double begin, double end = kForGood) {
        const auto ends = end < kLength ? momentOf(end) : kNever;
        evidence.add({momentOf(begin), ends, 100, 100, 100}, period, {});
        if (ends != kNever) evidence.addRelease(ends, 100, period);
        return *this;
    }
    /// One block every `step` seconds that lives this long.
    Story& blocks(double from, double to, double step, double life = kForGood) {
        for (double time = from; time < to; time += step)
            block(time, time + life);
        return *this;
    }
    [[nodiscard]] LeakJudgement judgement(const LeakCircumstances& circumstances = {}) const {
        return judge(evidence, period, circumstances);
    }
    [[nodiscard]] LeakVerdict verdict(const LeakCircumstances& circumstances = {}) const {
        return judgement(circumstances).verdict;
    }
};

} // namespace

class LeakVerdictTest : public QObject {
    Q_OBJECT
  private slots:
    void whatIsNeverFreedAndComesEvenlyGrows() {
        const auto judgement = Story().blocks(0, kLength, 0.1).judgement();
        QCOMPARE(judgement.verdict, LeakVerdict::Growing);
        QVERIFY(judgement.confidence > 0.95);
        QVERIFY(std::abs(judgement.growth.perSecond - 1000) < 20);
        QCOMPARE(judgement.usualLifetime, std::int64_t{0});
    }
    void saysRatesInPlainNumbers_data() {
        QTest::addColumn<double>("perSecond");
        QTest::addColumn<QString>("words");
        QTest::newRow("few") << 0.25 << "(0.25 allocations/s";
        QTest::newRow("some") << 31.94 << "(31.9 allocations/s";
        QTest::newRow("just below") << 999.4 << "(999 allocations/s";
        QTest::newRow("just above") << 999.6 << "(1,000 allocations/s";
        QTest::newRow("thousands") << 1983.7 << "(1,980 allocations/s";
        QTest::newRow("millions") << 2'345'678.0 << "(2,350,000 allocations/s";
    }
    void saysRatesInPlainNumbers() {
        QFETCH(double, perSecond);
        QFETCH(QString, words);
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Growing;
        suspect.rowsPerSecond = perSecond;
        const auto why = QString::fromStdString(whySuspected(suspect, {}));
        QVERIFY2(why.contains(words), qPrintable(why));
    }
    void oneOfTenThatIsKeptGrows() {
        const auto judgement = Story().blocks(0, kLength, 0.1, 0.01).blocks(0.05, kLength, 1).judgement();
        QCOMPARE(judgement.verdict, LeakVerdict::Growing);
        QVERIFY(judgement.usualLifetime >= 10'000'000 && judgement.usualLifetime < 12'600'000);
        QVERIFY(judgement.overdue > 0.95);
    }
    void whatBeganHalfwayIsJudgedFromThere() {
        const auto judgement = Story().blocks(16, kLength, 0.1).judgement();
        QCOMPARE(judgement.verdict, LeakVerdict::Growing);
        QVERIFY(std::abs(judgement.growth.perSecond - 1000) < 50);
    }
    /// Most programs free something as they end; the growth was there before.
    void aFewFreesAtTheEndTakeNoGrowthAway() {
        for (const double step : {0.003, 0.1, 0.32}) { // 10,000 blocks, 320, 100
            Story story;
            const double freed = std::min(50.0, 0.125 * kLength / step) * step; // seconds of blocks that are freed
            story.blocks(freed, kLength - 0.2, step);
            for (double time = 0; time < freed; time += step)
                story.block(time, kLength - 0.01);
            const auto judgement = story.judgement();
            QCOMPARE(judgement.verdict, LeakVerdict::Growing);
            QCOMPARE(judgement.overdue, 1.0);
            QVERIFY(std::abs(judgement.growth.perSecond * step - 100) < 10);
            QVERIFY(judgement.usualLifetime > 20'000'000'000);
        }
    }
    /// As when a list that contains some leaked rows is cleared once.
    void aFewFreesOfOldRowsTakeNoGrowthAway() {
        Story story;
        story.blocks(0.5, kLength, 0.01);
        for (double time = 0; time < 0.5; time += 0.01)
            story.block(time, 24);
        QCOMPARE(story.judgement().overdue, 1.0);
        QCOMPARE(story.verdict(), LeakVerdict::Growing);
    }
    /// Evenly spaced rows: 90 % of them have arrived after 90 % of the time.
    void whatComesEvenlyDoesNotLevelOff() {
        QCOMPARE(Story().blocks(0, 27, 0.1).verdict(), LeakVerdict::Kept); // not recent any more
        Story story;
        story.blocks(0, kLength - 0.2, 0.1).blocks(0, 1, 0.01, 30); // the freed blocks are older than nearly all others
        QVERIFY(story.judgement().confidence < 0.5);
        QCOMPARE(story.verdict(), LeakVerdict::Kept);
    }
    void onlyWhatComesUnevenlyIsCalledSo() {
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Kept;
        suspect.keptCount = 270;
        suspect.first = momentOf(0);
        suspect.last = momentOf(27);
        const auto sentence = [&](const Story& story) { return whySuspected(suspect, story.judgement()); };
        QVERIFY(sentence(Story().blocks(0, 27, 0.1)).find("unevenly") == std::string::npos);
        QVERIFY(sentence(Story().blocks(0, 1, 0.01).blocks(26, 27, 0.01)).find("unevenly") != std::string::npos);
    }
    void someBlocksAreKept() {
        QCOMPARE(Story().block(10).verdict(), LeakVerdict::Kept);
        QCOMPARE(Story().block(5).block(16).block(29).verdict(), LeakVerdict::Kept);
    }
    void whatBeganLatelyIsTooEarlyToTell() {
        QCOMPARE(Story().blocks(30, kLength, 0.1).verdict(), LeakVerdict::TooEarly);
    }
    void whatCameEarlyAndNoMoreLevelledOff() {
        QCOMPARE(Story().blocks(0, 6, 0.1).verdict(), LeakVerdict::LevelledOff);
    }
    void whatStoppedIsNoLongerFresh() {
        const auto growing = Story().blocks(0, kLength, 0.1).judgement();
        const auto stopped = Story().blocks(0, 24, 0.1).judgement();
        QCOMPARE(growing.fresh, 1.0);
        QVERIFY(stopped.fresh < 0.5);
        QCOMPARE(stopped.verdict, LeakVerdict::LevelledOff);
    }
    /// Jobs that run every few seconds: the pause after the last one is not longer than those between them.
    void burstsThatKeepTheirRhythmGrow() {
        Story story;
        for (const double second : {0.1, 5.5, 11.0, 16.5, 22.0, 27.5})
            story.blocks(second, second + 0.004, 0.0001);
        const auto judgement = story.judgement();
        QCOMPARE(judgement.fresh, 1.0);
        QCOMPARE(judgement.verdict, LeakVerdict::Growing);
    }
    void threeBurstsDoNotLevelOff() {
        Story story;
        for (const double second : {6.0, 14.0, 22.0})
            story.blocks(second, second + 0.004, 0.0001);
        QCOMPARE(story.verdict(), LeakVerdict::Kept);
    }
    void burstsThatStoppedLevelledOff() {
        Story story;
        for (const double second : {0.5, 4.0, 8.0})
            story.blocks(second, second + 0.004, 0.0001);
        QCOMPARE(story.verdict(), LeakVerdict::LevelledOff);
    }
    void burstsThatBecomeSmallerLevelOff() {
        Story story;
        double blocks = 160;
        for (const double second : {0.5, 5.0, 10.0, 15.0, 20.0, 25.0}) {
            story.blocks(second, second + blocks * 0.0001, 0.0001);
            blocks /= 2.5;
        }
        QCOMPARE(story.verdict(), LeakVerdict::LevelledOff);
    }
    void aCacheThatFreesWhatIsOldIsRenewed() {
        QCOMPARE(Story().blocks(0, kLength, 0.1, 5).verdict(), LeakVerdict::Renewed);
    }
    void whatFillsAndIsEmptiedIsASawtooth() {
        Story story;
        for (double time = 0; time < kLength; time += 0.1)
            story.block(time, (std::floor(time / 5 + 1e-9) + 1) * 5);
        QCOMPARE(story.verdict(), LeakVerdict::Sawtooth);
    }
    void whatEmptyingsLeftIsNotOfTheLastTooth() {
        const auto queue = [] {
            Story story;
            for (double time = 0; time < kLength; time += 0.1)
                story.block(time, (std::floor(time / 5 + 1e-9) + 1) * 5);
            return story;
        };
        QVERIFY(!queue().judgement().lowPoint);
        const auto judgement = queue().block(3).block(4).judgement();
        QCOMPARE(judgement.verdict, LeakVerdict::Sawtooth);
        QVERIFY(judgement.lowPoint.has_value());
        QCOMPARE(judgement.lowPoint->keptCount, std::uint64_t{2});
        QCOMPARE(judgement.lowPoint->keptBytes, ByteCount{200});
        QCOMPARE(judgement.lowPoint->time, momentOf(27));
    }
    void whatTheProcessBeganWithIsOfItsStart() {
        const auto story = Story().blocks(0, 3, 0.1);
        QCOMPARE(story.verdict({{}, true}), LeakVerdict::StartUp);
        QCOMPARE(story.verdict({{}, false}), LeakVerdict::LevelledOff);
    }
    void lostFreesExplainAsManyRowsAsWereLost() {
        const auto story = Story().blocks(0, kLength, 0.01, 0.001).blocks(0.005, kLength, 1);
        QCOMPARE(story.verdict(), LeakVerdict::Growing);
        const auto lossy = story.judgement({{.byRecorder = 0.1}, false});
        QCOMPARE(lossy.verdict, LeakVerdict::LostFrees);
        QCOMPARE(lossy.certain, 0.0);
        QCOMPARE(story.verdict({{.seen = 0.1, .secondsUntilSeen = 30}, false}), LeakVerdict::LostFrees);
        // Frees that were never made cannot be lost.
        QCOMPARE(Story().blocks(0, kLength, 0.1).verdict({{.byRecorder = 0.1}, false}), LeakVerdict::Growing);
    }
    void everyVerdictHasAWord() {
        QCOMPARE(verdictWord(LeakVerdict::Growing), std::string_view("growing"));
        QCOMPARE(verdictWord(LeakVerdict::LostFrees), std::string_view("lost_frees"));
    }
};

HIGHWATER_TEST(LeakVerdictTest);
#include "leak_verdict_test.moc"
