#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// What cannot be launched under the agent.
class AgentLaunchTest : public QObject {
    Q_OBJECT

  private slots:
    void whatCannotBeRecordedIsRefusedWithAReason() {
        auto refusal = [](const QString& program) { return record({program, {}}).problem; };
        QVERIFY(refusal("/nowhere/at/all").contains("no program"));
        QVERIFY(refusal(targetPath("")).contains("may be started"));
        QVERIFY2(refusal(targetPath("agent_static")).contains("statically linked"),
                 qPrintable(refusal(targetPath("agent_static"))));
        // It has root's rights, which root has already.
        if (QFile::exists("/usr/bin/passwd") && ::geteuid() != 0)
            QVERIFY(refusal("/usr/bin/passwd").contains("setuid"));
    }
};
HIGHWATER_TEST(AgentLaunchTest);

#include "agent_launch_test.moc"
