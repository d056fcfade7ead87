#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// Which libraries are reported, and when.
class ModulesTest : public QObject {
    Q_OBJECT

  private slots:
    void aModuleIsReportedBeforeTheStacksThroughItAndWhenItGoes() {
        const AgentRecording recording = record(target({"plugin"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        for (const ByteCount size : {6100u, 6101u}) {
            bool isLoaded = false;
            AgentEvent module;
            for (const AgentEvent& event : recording.events) {
                if (event.op == AgentOp::Module && event.detail->path.ends_with("/agent_plugin.so")) {
                    isLoaded = true;
                    module = event;
                    QCOMPARE(event.detail->buildId.size(), 20u);
                }
                if (event.op == AgentOp::ModuleGone && event.address == module.address) isLoaded = false;
                if (event.op != AgentOp::Allocate || event.size != size) continue;
                QVERIFY(isLoaded);
                QVERIFY(recording.stacks.at(event.stackKey).front() - module.address < module.size);
            }
            QVERIFY(module.size != 0);
            QVERIFY(!isLoaded);
        }
    }

    void theProgramAndItsLibrariesAreReported() {
        const AgentRecording recording = record(target({"many", "1"}));
        QStringList programs;
        bool isLibcThere = false;
        for (const AgentEvent& event : recording.all(AgentOp::Module)) {
            if (event.flags == 1) programs.append(QString::fromStdString(event.detail->path));
            isLibcThere = isLibcThere || event.detail->path.ends_with("/libc.so.6");
        }
        QCOMPARE(programs, QStringList{targetPath("agent_target")});
        QVERIFY(isLibcThere);
    }

    // Like node: linked to a fixed address, with a gap between its parts.
    void aProgramWhosePartsDoNotLieSideBySideIsOneModule() {
        const AgentRecording recording = record({targetPath("agent_fixed"), {}});
        QCOMPARE(recording.problem, QString());
        std::vector<AgentEvent> programs;
        for (const AgentEvent& event : recording.all(AgentOp::Module))
            if (event.flags == 1) programs.push_back(event);
        QCOMPARE(programs.size(), 1u);
        QCOMPARE(programs[0].address, Address{0x400000});
        QCOMPARE(programs[0].detail->buildId.size(), 20u);
        const QStringList words = QString::fromUtf8(recording.output).split(' '); // far ADDRESS main ADDRESS
        QVERIFY(words[1].toULongLong(nullptr, 0) - programs[0].address < programs[0].size);
        QVERIFY(words[3].toULongLong(nullptr, 0) - programs[0].address < programs[0].size);
    }
};
HIGHWATER_TEST(ModulesTest);

#include "modules_test.moc"
