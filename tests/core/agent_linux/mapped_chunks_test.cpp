#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr std::size_t kBlocks = 300'000;

AgentRun limited(const QString& limit, const QStringList& arguments) {
    return {"/bin/bash", QStringList{"-c", QStringLiteral("ulimit %1 && exec \"$0\" \"$@\"").arg(limit),
                                     targetPath("limited_program")} +
                             arguments};
}

} // namespace

/// The agent's own mappings in a program, which may have resource limits.
class MappedChunksTest : public QObject {
    Q_OBJECT

  private slots:
    void whatTheProgramLocksIsItsOwn_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("at its begin") << QStringList{"lock"};
        QTest::newRow("by a system call") << QStringList{"locksyscall"};
        QTest::newRow("after many events") << QStringList{"lock", "1000000"};
    }
    void whatTheProgramLocksIsItsOwn() {
        QFETCH(const QStringList, arguments);
        AgentRun run{targetPath("limited_program"), arguments};
        const AgentRecording alone = runAlone(run);
        if (!alone.output.contains("locked")) QSKIP("memory cannot be locked here");
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.losses.events, 0u);
        const auto lockedIn = [](const AgentRecording& ran) { return ran.output.trimmed().split(' ').last().toLong(); };
        const long more = lockedIn(recording) - lockedIn(alone);
        QVERIFY2(more >= -64 && more <= 256, qPrintable(QStringLiteral("%1 KB more are locked").arg(more)));
        QVERIFY(recording.count(AgentOp::Allocate, 777) >= kBlocks);
    }

    void aUserCanLockWithHighwaterWhatHeCanWithout() {
        for (const char* before : {"0", "200000"}) {
            const AgentRun run{targetPath("limited_program"), {"lockasuser", before}};
            const AgentRecording alone = runAlone(run);
            if (!alone.output.contains("locked")) QSKIP("an ordinary user cannot lock that here");
            const AgentRecording recording = record(run);
            QCOMPARE(recording.problem, QString());
            QVERIFY2(recording.output.contains("locked"), recording.output.constData());
            QCOMPARE(recording.end.exitCode, 0);
            QCOMPARE(recording.losses.events, 0u);
            QCOMPARE(recording.count(AgentOp::Allocate, 777), kBlocks + QByteArray(before).toULong());
        }
    }

    void aProgramThatMayMapLittleIsRecorded_data() {
        QTest::addColumn<QString>("limit");
        QTest::newRow("100 MB") << "-v 100000";
        QTest::newRow("60 MB") << "-v 60000";
    }
    void aProgramThatMayMapLittleIsRecorded() {
        QFETCH(const QString, limit);
        const AgentRun run = limited(limit, {"plain"});
        QCOMPARE(runAlone(run).output, QByteArray("1\n"));
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.output, QByteArray("1\n"));
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.losses.unmapped, 0u);
        QVERIFY(recording.count(AgentOp::Allocate, 777) + recording.losses.events >= kBlocks);
        QVERIFY(recording.count(AgentOp::Allocate, 777) > kBlocks / 2);
    }

    void aProgramThatLimitsItselfHasWhatItIsAllowed() {
        const AgentRun run{targetPath("limited_program"), {"addresses"}};
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.output, runAlone(run).output);
        QCOMPARE(recording.end.exitCode, 0);
        QVERIFY(recording.count(AgentOp::Allocate, 777) + recording.losses.events >= kBlocks);
    }

    void aProgramThatMayMapNothingSaysSo() {
        AgentRun run{targetPath("limited_program"), {"plain"}};
        AgentRecording recording;
        for (int kilobytes = 3000; kilobytes < 20'000; kilobytes += 200) { // the minimum it needs to start
            run = limited(QStringLiteral("-v %1").arg(kilobytes), {"plain"});
            recording = record(run);
            if (recording.losses.unmappedPid != 0) break;
        }
        QCOMPARE(recording.losses.unmappedPid, recording.pid);
    }
};
HIGHWATER_TEST(MappedChunksTest);

#include "mapped_chunks_test.moc"
