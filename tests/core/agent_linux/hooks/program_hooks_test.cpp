#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

std::set<std::uint32_t> pidsSeen(const AgentRecording& recording) {
    std::set<std::uint32_t> pids;
    for (const AgentEvent& event : recording.events)
        pids.insert(event.pid);
    return pids;
}

} // namespace

/// Programs that execute and start other programs.
class ProgramHooksTest : public QObject {
    Q_OBJECT

  private slots:
    void anExecutedProgramIsStillTheOneThatWasLaunched_data() {
        QTest::addColumn<QString>("way");
        QTest::addColumn<bool>("asked");
        for (const bool asked : {false, true}) {
            for (const auto* way : {"execl", "execv", "execvp", "execlp", "execle", "execvpe", "fexecve", "execveat"})
                QTest::addRow("%s%s", way, asked ? " with children" : "") << way << asked;
        }
    }
    void anExecutedProgramIsStillTheOneThatWasLaunched() {
        QFETCH(QString, way);
        QFETCH(bool, asked);
        const AgentRecording recording = record(target({way}, asked ? withChildren() : AgentOptions{}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.count(AgentOp::Allocate, 1111), 1u);
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 100u);
        QCOMPARE(recording.end.exitCode, 7);
        QCOMPARE(pidsSeen(recording).size(), 1u);
        QCOMPARE(recording.count(AgentOp::ProcessStart), 2u);
        const auto ends = recording.all(AgentOp::ProcessEnd);
        QCOMPARE(ends.size(), 2u);
        QCOMPARE(ends[0].flags, 1u); // continues as another program
        QCOMPARE(ends[1].flags, 0u);
        QCOMPARE(recording.losses.children, 0u);
        QCOMPARE(recording.losses.unrecordable, 0u);
    }

    void aScriptIsRecordedOnAsWhatItExecutes() {
        const auto script = "exec " + targetPath("agent_target") + " many 100";
        const AgentRecording recording = record({"/bin/sh", {"-c", script}});
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 100u);
        QCOMPARE(recording.end.exitCode, 7);
        QCOMPARE(recording.losses.children, 0u);
    }

    void callsOfShortProgramsHaveTheirOwnTimes() {
        const auto once = targetPath("agent_target") + " many 100; ";
        const AgentRecording recording =
            record({"/bin/sh", {"-c", once + once + once + "exec " + once}, withChildren()});
        std::map<std::uint32_t, std::set<std::int64_t>> times;
        for (const AgentEvent& event : recording.all(AgentOp::Allocate))
            if (event.size == 100) times[event.pid].insert(event.timeNs);
        QCOMPARE(times.size(), 4u);
        for (const auto& [pid, ofOne] : times)
            QVERIFY2(ofOne.size() > 90, qPrintable(QString::number(ofOne.size()))); // two may be within a nanosecond
    }

    void whatAScriptStartsIsAChild() {
        const auto program = targetPath("agent_target");
        // A name that is searched for in several folders is executed once.
        const auto script = "PATH=/nowhere:/no/other:" + QFileInfo(program).path() + "; agent_target many 100; exit 5";
        AgentRecording recording = record({"/bin/sh", {"-c", script}});
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 0u);
        QCOMPARE(recording.end.exitCode, 5);
        QCOMPARE(recording.losses.children, 1u);
        recording = record({"/bin/sh", {"-c", script}, withChildren()});
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 100u);
        QCOMPARE(recording.losses.children, 0u);
    }

    void whatAnUnrecordableProgramStartsIsAChild() {
        const auto script = "exec " + targetPath("agent_static") + " " + targetPath("agent_target") + " many 100";
        const AgentRecording recording = record({"/bin/sh", {"-c", script}});
        QCOMPARE(recording.end.exitCode, 7);
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 0u);
        QCOMPARE(recording.losses.children, 1u);
        QCOMPARE(recording.losses.unrecordable, 0u);
        QCOMPARE(recording.losses.unrecorded.size(), std::size_t{1}); // the static one itself
        QCOMPARE(recording.losses.unrecorded[0].obstacle, highwater::agent::Obstacle::Static);
    }

    void aSpawnedProgramIsRecordedIfChildrenAre_data() {
        QTest::addColumn<QString>("way");
        for (const auto* way : {"spawn", "spawnp", "vforkexec"})
            QTest::newRow(way) << way;
    }
    void aSpawnedProgramIsRecordedIfChildrenAre() {
        QFETCH(QString, way);
        AgentRecording recording = record(target({way}));
        QCOMPARE(recording.count(AgentOp::Allocate, 4242), 0u);
        QCOMPARE(recording.losses.children, 1u);
        QCOMPARE(recording.losses.unrecordable, 0u);
        recording = record(target({way}, withChildren()));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.count(AgentOp::Allocate, 4242), 10u);
        QCOMPARE(recording.end.exitCode, 3);
        QCOMPARE(recording.losses.children, 0u);
    }

    void whatLibcStartsIsCounted() {
        AgentRecording recording = record(target({"system"})); // twice: also popen
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.losses.children, 2u);
        recording = record(target({"system"}, withChildren()));
        QCOMPARE(recording.losses.children, 0u);
    }

    void theProgramFindsTheEnvironmentThatItHasAlone() {
        qputenv("HIGHWATER_TEST_VARIABLE", "1");
        auto lines = [](const QByteArray& output) {
            auto found = output.split('\n');
            std::ranges::sort(found);
            return found;
        };
        QCOMPARE(lines(record(target({"environment"})).output), lines(runAlone(target({"environment"})).output));
        QVERIFY(record(target({"environment"})).output.contains("HIGHWATER_TEST_VARIABLE"));
    }
};
HIGHWATER_TEST(ProgramHooksTest);

#include "program_hooks_test.moc"
