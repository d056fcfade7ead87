#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

QStringList heapLinesOf(const QByteArray& text) { return QString::fromUtf8(text).split('\n', Qt::SkipEmptyParts); }

/// Compares line by line, so that a failure shows the first difference.
void compareHeapLines(const QStringList& found, const QStringList& expected) {
    for (qsizetype i = 0; i < std::min(found.size(), expected.size()); ++i)
        QVERIFY2(found[i] == expected[i],
                 qPrintable(QStringLiteral("line %1: %2, expected %3").arg(i).arg(found[i], expected[i])));
    QCOMPARE(found.size(), expected.size());
}

} // namespace

/// Calls of functions that allocate and free.
class HeapHooksTest : public QObject {
    Q_OBJECT

  private slots:
    void everyWayToAllocateIsSeenOnceWithItsSize() {
        const AgentRecording recording = record(target({"blocks"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(recording.end.exitCode, 0);
        QVERIFY(heapLinesOf(recording.output).size() > 30);
        compareHeapLines(recording.linesBetweenMarks(), heapLinesOf(recording.output));
        QCOMPARE(recording.contradictions(), 0u);
        QCOMPARE(recording.losses.late, 0u); // each ring is in order
    }

    void freesHaveStacksWhenAsked() {
        AgentOptions options;
        const auto freesWithStack = [&] {
            const auto frees = record(target({"many", "100"}, options)).all(AgentOp::Free);
            return std::ranges::count_if(frees, [](const AgentEvent& event) { return event.stackKey != 0; });
        };
        QCOMPARE(freesWithStack(), 0);
        options.freeStacks = true;
        QVERIFY(freesWithStack() >= 100);
    }
};
HIGHWATER_TEST(HeapHooksTest);

#include "heap_hooks_test.moc"
