#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/targets/agent_target.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr const char* kUnsharing = "/usr/bin/unshare";

} // namespace

/// The recorded program starts programs that the agent cannot follow, or with other variables than it received.
class AgentReachTest : public QObject {
    Q_OBJECT

  private slots:
    // The dynamic linker, which cannot open the agent there, must not complain.
    void aProcessOfAnotherUserIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("isChild");
        const QStringList user{"/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"}, space{kUnsharing, "-U"},
            mapped{kUnsharing, "-Ur"};
        for (const bool isChild : {false, true}) {
            const auto* how = isChild ? ", with children" : "";
            QTest::addRow("user%s", how) << user << isChild;
            QTest::addRow("user namespace%s", how) << space << isChild;
            QTest::addRow("user namespace with root%s", how) << mapped << isChild;
        }
    }
    void aProcessOfAnotherUserIsSaid() {
        QFETCH(QStringList, words);
        QFETCH(bool, isChild);
        if (QProcess::execute(words[0], words.mid(1) + QStringList{"/bin/true"}) != 0) QSKIP("not permitted here");
        const AgentRun run{words[0], words.mid(1) + QStringList{"/bin/cat", "/proc/self/uid_map"},
                           isChild ? withChildren() : AgentOptions{}};
        const AgentRecording alone = runAlone(run), recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.output, alone.output);
        QCOMPARE(recording.errors, alone.errors);
        QCOMPARE(recording.losses.unrecorded.size(), std::size_t{1});
        QCOMPARE(recording.losses.unrecorded[0].obstacle, agent::Obstacle::OtherUser);
        QCOMPARE(recording.losses.unrecordable, 0u);
    }

    void programsOfAnotherUserThatTheAgentWouldHarmRunWithoutIt() {
        const QTemporaryDir folder;
        const auto program = compileProgram(folder, "musl-gcc", {});
        if (program.isEmpty()) QSKIP("musl-gcc is not installed");
        if (QProcess::execute(kUnsharing, {"-Ur", "/bin/true"}) != 0) QSKIP("no user namespace can be made here");
        const AgentRun run{kUnsharing, {"-Ur", program}, withChildren()};
        const AgentRecording alone = runAlone(run), recording = record(run);
        QCOMPARE(recording.end.exitCode, alone.end.exitCode);
        QCOMPARE(recording.output, alone.output);
        QCOMPARE(recording.errors, alone.errors);
        QCOMPARE(recording.losses.unrecorded.size(), std::size_t{1});
        QCOMPARE(recording.losses.unrecorded[0].obstacle, agent::Obstacle::OtherLibc);
    }

    // As scripts do for one program: with another library before the C library, or without any.
    void whoChangesThePreloadedLibrariesIsRecorded_data() {
        QTest::addColumn<AgentRun>("run");
        const auto program = targetPath("agent_target"), numbers = program + " numbers 0";
        const auto other = QStringLiteral("LD_PRELOAD=%1 ").arg(targetPath("agent_plugin.so"));
        for (const bool areChildrenRecorded : {false, true}) {
            const auto options = areChildrenRecorded ? withChildren() : AgentOptions{};
            const auto* how = areChildrenRecorded ? ", with children" : "";
            QTest::addRow("none%s", how) << AgentRun{
                "/usr/bin/env", {"-u", "LD_PRELOAD", program, "numbers", "0"}, options};
            QTest::addRow("none, in a script%s", how)
                << AgentRun{"/bin/sh", {"-c", "unset LD_PRELOAD; exec " + numbers}, options};
            QTest::addRow("another one%s", how) << AgentRun{"/bin/sh", {"-c", other + "exec " + numbers}, options};
        }
        QTest::newRow("another one, of a child")
            << AgentRun{"/bin/sh", {"-c", other + numbers + "; true"}, withChildren()};
    }
    void whoChangesThePreloadedLibrariesIsRecorded() {
        QFETCH(AgentRun, run);
        const AgentRecording alone = runAlone(run), recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, alone.errors);
        QCOMPARE(recording.count(AgentOp::Allocate, kBytesOfProcess), std::size_t(kBlocksOfProcess));
        QCOMPARE(recording.losses.unrecordable, 0u);
    }

    void otherLibrariesOfAProgramThatTheAgentWouldHarmStay() {
        if (QProcess::execute(kUnsharing, {"-Ur", "/bin/true"}) != 0) QSKIP("no user namespace can be made here");
        const auto script = QStringLiteral("LD_PRELOAD=%1 %2 -Ur /usr/bin/env | grep LD_PRELOAD")
                                .arg(targetPath("agent_plugin.so"), kUnsharing);
        const AgentRun run{"/bin/sh", {"-c", script}, withChildren()};
        QCOMPARE(record(run).output, runAlone(run).output);
        QVERIFY(!runAlone(run).output.isEmpty());
    }

    // The emulator is static; the emulated program would find its agent and lose nearly all events.
    void aProgramThatValgrindEmulatesIsSaid() {
        constexpr const char* kValgrind = "/usr/bin/valgrind";
        if (!QFile::exists(kValgrind)) QSKIP("valgrind is not installed");
        const QStringList words{"-q", "--tool=none", targetPath("agent_target"), "numbers", "0"};
        for (const auto& options : {AgentOptions{}, withChildren()}) {
            const AgentRecording recording = record({kValgrind, words, options});
            QCOMPARE(recording.problem, QString());
            QCOMPARE(recording.errors, QByteArray());
            QCOMPARE(recording.losses.unrecorded.size(), std::size_t{1});
            QCOMPARE(recording.losses.unrecorded[0].obstacle, agent::Obstacle::Static);
            QCOMPARE(recording.losses.unmapped, 0u);
            QCOMPARE(recording.losses.events, 0u);
        }
    }
};
HIGHWATER_TEST(AgentReachTest);

#include "agent_reach_test.moc"
