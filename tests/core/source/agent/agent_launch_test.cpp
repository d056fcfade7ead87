#include "core/source/agent/agent_launch_linux.h"

#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// Programs that cannot be launched under the agent, and the end of those that were.
class AgentLaunchTest : public QObject {
    Q_OBJECT

  private slots:
    void whatCannotBeRecordedIsRefusedWithAReason() {
        auto refusal = [](const QString& program) { return record({program, {}}).problem; };
        QVERIFY(refusal("/nowhere/at/all").contains("does not exist"));
        QVERIFY(refusal(targetPath("")).contains("cannot be started"));
        QVERIFY2(refusal(targetPath("agent_static")).contains("statically linked"),
                 qPrintable(refusal(targetPath("agent_static"))));
        // It gets root's rights, which root has already.
        if (QFile::exists("/usr/bin/passwd") && ::geteuid() != 0)
            QVERIFY(refusal("/usr/bin/passwd").contains("setuid"));
    }
    void whatOutlivesItsRecordingIsNoZombieWhenItEnds() {
        const auto pid = ::fork();
        if (pid == 0) {
            ::pause();
            ::_exit(0);
        }
        { const AgentTarget target(pid, -1, AgentTarget::Reaped::ByUs); }
        QCOMPARE(::kill(pid, SIGKILL), 0);
        QTRY_COMPARE(::kill(pid, 0), -1);
    }
};
HIGHWATER_TEST(AgentLaunchTest);

#include "agent_launch_test.moc"
