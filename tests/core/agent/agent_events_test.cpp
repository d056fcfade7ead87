#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/targets/agent_target.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

QStringList linesOf(const QByteArray& text) { return QString::fromUtf8(text).split('\n', Qt::SkipEmptyParts); }

/// Compares line by line, so that a failure shows the first difference.
void compareLines(const QStringList& found, const QStringList& expected) {
    for (qsizetype i = 0; i < std::min(found.size(), expected.size()); ++i)
        QVERIFY2(found[i] == expected[i],
                 qPrintable(QStringLiteral("line %1: %2, expected %3").arg(i).arg(found[i], expected[i])));
    QCOMPARE(found.size(), expected.size());
}

} // namespace

/// The events of the target, one by one, as the target itself reports them.
class AgentEventsTest : public QObject {
    Q_OBJECT

  private slots:
    void thePagesOfTheProgramAreSeenAndNotThoseOfLibc() {
        const AgentRecording recording = record(target({"pages"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        compareLines(recording.linesBetweenMarks(), linesOf(recording.output));
    }

    void onlyWhatIsAskedForIsRecorded() {
        AgentOptions heapOnly;
        heapOnly.virtualMemory = false;
        QCOMPARE(record(target({"pages"}, heapOnly)).count(AgentOp::Map), 0u);
        AgentOptions pagesOnly;
        pagesOnly.heap = false;
        const AgentRecording recording = record(target({"pages"}, pagesOnly));
        QCOMPARE(recording.count(AgentOp::Map), 2u);
        QCOMPARE(recording.count(AgentOp::Allocate) + recording.count(AgentOp::Free), 0u);
    }
};
HIGHWATER_TEST(AgentEventsTest);

#include "agent_events_test.moc"
