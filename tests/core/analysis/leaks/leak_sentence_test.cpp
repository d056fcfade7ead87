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
            R"(\b1 (allocations|frees|marks|functions)\b|\b1 allocation( \([^)]*\))? (are|were|seem|have)\b|\(1 were\)|\b1 allocation[^;]*none of them|them made)");
        const QRegularExpression oneOfMany(
            R"(\b[023] (allocation|free|mark|function)\b|\b[023] allocations( \([^)]*\))? (is|was|seems|has)\b|\([023] was\))");
        for (const auto counts : {Counts{1, 0}, Counts{1, 1}, Counts{1, 3}, Counts{2, 0}, Counts{2, 1}, Counts{3, 2}}) {
            for (const bool isBySize : {false, true}) {
                const auto text = sentenceOf(static_cast<LeakVerdict>(verdict), counts, isBySize);
                if (counts.kept == 1) QVERIFY2(!manyOfOne.match(text).hasMatch(), qPrintable(text));
                if (counts.freed == 1) QVERIFY2(!text.contains("(1 were)"), qPrintable(text));
                QVERIFY2(!oneOfMany.match(text).hasMatch(), qPrintable(text));
                QVERIFY2(!text.contains("1 allocation were") && !text.contains("1 allocations"), qPrintable(text));
            }
        }
    }
    void aBufferIsSaidToGrowInSize() {
        const auto text = sentenceOf(LeakVerdict::Growing, {1, 21}, true);
        QVERIFY2(text.startsWith("Still growing in size: 1 allocation (100 B) is outstanding"), qPrintable(text));
        QVERIFY2(text.contains("21 allocations were freed meanwhile because larger ones replaced them"),
                 qPrintable(text));
        for (const auto verdict : {LeakVerdict::Growing, LeakVerdict::Kept, LeakVerdict::LevelledOff}) {
            const auto one = sentenceOf(verdict, {1, 1}, true);
            QVERIFY2(one.contains("1 allocation was freed ") && one.contains("because a larger one replaced it"),
                     qPrintable(one));
        }
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
