#include "core/analysis/leaks/leak_sentence.h"
#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

struct Counts {
    std::uint64_t kept = 0;
    std::uint64_t freed = 0;
};

QString sentenceOf(LeakVerdict verdict, Counts counts, bool isBySize) {
    LeakSuspect suspect;
    suspect.verdict = verdict;
    suspect.confidence = 0.9;
    suspect.keptCount = counts.kept;
    suspect.keptBytes = 100 * counts.kept;
    suspect.freedCount = counts.freed;
    suspect.survivors = counts.kept;
    suspect.marks = counts.kept;
    suspect.rowsPerSecond = static_cast<double>(counts.kept);
    suspect.first = suspect.last = TraceTime{2'000'000'000};
    suspect.mostBefore = TraceTime{1};
    if (counts.kept > 1) suspect.first = TraceTime{1'000'000'000};
    LeakJudgement judgement;
    judgement.usualLifetime = 5'000'000;
    judgement.since = suspect.first;
    judgement.isBySize = isBySize;
    return QString::fromStdString(whySuspected(suspect, judgement));
}

} // namespace

class LeakSentenceTest : public QObject {
    Q_OBJECT
  private slots:
    void verbsAndNounsHaveTheNumberOfTheirCount_data() {
        QTest::addColumn<int>("verdict");
        for (int verdict = 0; verdict <= static_cast<int>(LeakVerdict::LostFrees); ++verdict) {
            const auto word = verdictWord(static_cast<LeakVerdict>(verdict));
            QTest::newRow(std::string(word).c_str()) << verdict;
        }
    }
    void verbsAndNounsHaveTheNumberOfTheirCount() {
        QFETCH(int, verdict);
        const QRegularExpression manyOfOne(
            R"(\b1 (allocations|frees|marks|functions)\b|\b1 allocation( \([^)]*\))? (are|were|seem|have)\b|\bof 1 allocations|\b1 of \d+ allocations? were|\b1 allocation[^;]*(none of them|they were)|of them were made|the first one|the last one)");
        const QRegularExpression oneOfMany(
            R"(\b[023] (allocation|free|mark|function)\b|(?<!of )\b[023] allocations( \([^)]*\))? (is|was|seems|has)\b|\b[023] of \d+ allocations? was\b)");
        for (const auto counts : {Counts{1, 0}, Counts{1, 1}, Counts{1, 3}, Counts{2, 0}, Counts{2, 1}, Counts{3, 2}}) {
            for (const bool isBySize : {false, true}) {
                const auto text = sentenceOf(static_cast<LeakVerdict>(verdict), counts, isBySize);
                if (counts.kept == 1) QVERIFY2(!manyOfOne.match(text).hasMatch(), qPrintable(text));
                if (counts.kept > 1) QVERIFY2(!text.contains("it was made"), qPrintable(text));
                QVERIFY2(!oneOfMany.match(text).hasMatch(), qPrintable(text));
                QVERIFY2(!text.contains("1 allocation were") && !text.contains("1 allocations"), qPrintable(text));
            }
        }
    }
    void theFreedAllocationsArePartOfAll() {
        const auto start = [](LeakVerdict verdict, Counts counts) {
            return sentenceOf(verdict, counts, false).section(QLatin1Char(';'), 0, 0);
        };
        QCOMPARE(start(LeakVerdict::LevelledOff, {7630, 7630}),
                 "Levelled off: 7,630 of 15,260 allocations were never freed (745.1 KB)");
        QCOMPARE(start(LeakVerdict::LevelledOff, {1, 3}), "Levelled off: 1 of 4 allocations was never freed (100 B)");
        QCOMPARE(start(LeakVerdict::TooEarly, {1, 0}), "Too early to judge: 1 allocation (100 B), not freed");
        QCOMPARE(start(LeakVerdict::TooEarly, {2, 0}), "Too early to judge: 2 allocations (200 B), none of them freed");
    }
    void lifetimesOfTheFreedAreThoseOfMost() {
        QVERIFY(
            sentenceOf(LeakVerdict::Growing, {9, 20}, false).contains("; 95 % of the freed ones lived 5 ms or less"));
        QVERIFY(sentenceOf(LeakVerdict::Growing, {9, 1}, false).contains("; the freed one lived 5 ms or less"));
    }
    void shortLifetimesAreInMicroseconds() {
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Renewed;
        suspect.keptCount = suspect.freedCount = 3;
        LeakJudgement judgement;
        judgement.usualLifetime = 12'500;
        const auto text = QString::fromStdString(whySuspected(suspect, judgement));
        QVERIFY2(text.contains("usually within 12.5 µs"), qPrintable(text));
    }
    void twoTimesAreNeverShownAsOne() {
        const auto textOf = [](LeakVerdict verdict, std::int64_t last) {
            LeakSuspect suspect;
            suspect.verdict = verdict;
            suspect.confidence = 0.9;
            suspect.keptCount = 5;
            suspect.first = suspect.mostBefore = TraceTime{21'300'000};
            suspect.last = TraceTime{last};
            LeakJudgement judgement;
            judgement.evenness = 1;
            return QString::fromStdString(whySuspected(suspect, judgement));
        };
        constexpr std::int64_t kSame = 21'300'000, kLater = 21'400'000;
        QCOMPARE(textOf(LeakVerdict::Kept, kLater),
                 "Never freed: 5 allocations (0 B), made between 0.0213 s and 0.0214 s.");
        QCOMPARE(textOf(LeakVerdict::Kept, kSame), "Never freed: 5 allocations (0 B), made at 0.02 s.");
        QVERIFY(textOf(LeakVerdict::LevelledOff, kLater).contains("before 0.0213 s, the last one at 0.0214 s"));
        QVERIFY(textOf(LeakVerdict::LevelledOff, kSame).contains("; they were made at 0.02 s"));
        QVERIFY(textOf(LeakVerdict::Growing, kLater).contains("(0 allocations/s) from 0.0213 s to 0.0214 s"));
    }
    void blocksThatMayStillBeFreedAreNotSaidToBeNeverFreed() {
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Kept;
        suspect.keptCount = 30;
        suspect.freedCount = 10;
        suspect.first = suspect.last = TraceTime{2'000'000'000};
        LeakJudgement judgement;
        judgement.usualLifetime = 5'000'000'000;
        QCOMPARE(QString::fromStdString(whySuspected(suspect, judgement)),
                 "Never freed: 30 of 40 allocations (0 B), made at 2.00 s; 95 % of the freed ones lived 5 s or less.");
        suspect.isYoung = true;
        QVERIFY(QString::fromStdString(whySuspected(suspect, judgement)).startsWith("Not freed yet: 30 of 40"));
    }
    void theIntervalOfARateIsShownIfItsEndsDiffer() {
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Growing;
        suspect.confidence = 0.9;
        suspect.keptCount = 9;
        suspect.rowsPerSecond = 3;
        suspect.last = TraceTime{4'000'000'000};
        suspect.growth = {2048, 2040, 2056};
        const auto text = [&] { return QString::fromStdString(whySuspected(suspect, {})); };
        QVERIFY2(text().contains("; grew steadily by 2.0 KB/s (3 allocations/s) from 0.00 s to 4.00 s"),
                 qPrintable(text()));
        suspect.growth = {2048, 1024, 3072};
        suspect.confidence = 0.6;
        QVERIFY2(text().contains(
                     "; grew by 2.0 KB/s (95 % confidence interval 1.0 KB/s to 3.0 KB/s; 3 allocations/s) from "),
                 qPrintable(text()));
    }
    /// What was added to a queue since it was last emptied is no leak.
    void laterAllocationsMayStillBeFreed() {
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Growing;
        suspect.confidence = 0.9;
        suspect.keptCount = 1000;
        suspect.keptBytes = 100 << 10;
        suspect.share = 0.5;
        suspect.freedCount = 20'000;
        suspect.rowsPerSecond = 3;
        suspect.growth = {2048, 2040, 2056};
        suspect.first = TraceTime{1'000'000'000};
        suspect.last = TraceTime{32'000'000'000};
        LeakJudgement judgement;
        judgement.lowPoint = LowPoint{TraceTime{30'000'000'000}, 19'900, 100, 10 << 10};
        const auto text = [&] { return QString::fromStdString(whySuspected(suspect, judgement)); };
        QCOMPARE(text(),
                 "Still growing: 100 of 19,900 allocations made before 30.00 s were never freed (10.0 KB); grew "
                 "steadily by 2.0 KB/s (3 allocations/s) from 1.00 s to 30.00 s; 900 allocations made later (90.0 KB) "
                 "may still be freed; 5 % of the kept heap memory.");
        judgement.lowPoint->keptCount = 999;
        QVERIFY(text().contains("; 1 allocation made later (90.0 KB) may still be freed"));
    }
    /// Otherwise, "since it was last emptied" would name the time of the oldest of them.
    void whatEmptyingsLeftIsNamedApart() {
        LeakSuspect suspect;
        suspect.verdict = LeakVerdict::Sawtooth;
        suspect.keptCount = 554;
        suspect.keptBytes = 110 << 10;
        suspect.freedCount = 7000;
        LeakJudgement judgement;
        judgement.lowPoint = LowPoint{TraceTime{8'450'000'000}, 6000, 3, 600};
        const auto text = [&] { return QString::fromStdString(whySuspected(suspect, judgement)); };
        QCOMPARE(text(), "Rises and falls: 554 allocations (110.0 KB) are outstanding; 7,000 allocations were freed; 3 "
                         "allocations made before 8.45 s are older than any freed one became.");
        judgement.lowPoint->keptCount = 1;
        QVERIFY(text().contains("; 1 allocation made before 8.45 s is older than any freed one became"));
    }
    void aBufferIsSaidToGrowInSize() {
        const auto text = sentenceOf(LeakVerdict::Growing, {1, 21}, true);
        QVERIFY2(text.startsWith("Still growing in size: 1 allocation (100 B) is outstanding"), qPrintable(text));
        QVERIFY2(text.contains("21 allocations were replaced meanwhile by larger ones and freed"), qPrintable(text));
        for (const auto verdict : {LeakVerdict::Growing, LeakVerdict::Kept, LeakVerdict::LevelledOff}) {
            const auto one = sentenceOf(verdict, {1, 1}, true);
            QVERIFY2(one.contains("1 allocation was replaced ") && one.contains(" by a larger one and freed"),
                     qPrintable(one));
        }
    }
    void pagesHeldByFewBytesAreNamed() {
        LeakSuspect suspect;
        suspect.keptCount = 2;
        suspect.held = HeldMemory{ByteCount{1} << 20, ByteCount{4} << 20, 2};
        auto text = QString::fromStdString(whySuspected(suspect, {}));
        QVERIFY2(text.contains("; 1.0 MB in RAM hold 4.0 MB of pages that contain nothing else"), qPrintable(text));
        QVERIFY(!text.contains("leave out"));
        suspect.held->rowsOnUnknownPages = 1;
        text = QString::fromStdString(whySuspected(suspect, {}));
        QVERIFY2(
            text.contains("; Resident and Held Pages leave out 1 allocation because it is unknown which of its pages"),
            qPrintable(text));
        suspect.outstandingCount = 3;
        text = QString::fromStdString(whySuspected(suspect, {}));
        QVERIFY2(text.contains("; with older allocations, 1.0 MB in RAM hold 4.0 MB of pages"), qPrintable(text));
        suspect.held->resident += 1;
        text = QString::fromStdString(whySuspected(suspect, {}));
        QVERIFY2(!text.contains("hold"), qPrintable(text));
    }
    void wrappersAreNamed() {
        LeakSuspect suspect;
        suspect.keptCount = 2;
        suspect.wrappers = {{"shop!take", 1, 9}, {"shop!xmalloc", 0, 0}};
        const auto text = QString::fromStdString(whySuspected(suspect, {}));
        QVERIFY2(text.contains("take is only a wrapper, called by 9 functions"), qPrintable(text));
        QVERIFY2(!text.contains("xmalloc"), qPrintable(text)); // it is well known
    }
};

HIGHWATER_TEST(LeakSentenceTest);
#include "leak_sentence_test.moc"
