#include "core/agent_linux/channel_layout.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QProcess>
#include <QTemporaryFile>
#include <QTest>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <span>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

std::set<std::uint32_t> pidsOf(const AgentRecording& recording) {
    std::set<std::uint32_t> pids;
    for (const AgentEvent& event : recording.events)
        pids.insert(event.pid);
    return pids;
}

} // namespace

/// Which processes are recorded, from their start to any kind of end: the program and its forked children.
class AgentRecordingTest : public QObject {
    Q_OBJECT

  private slots:
    void forkedChildrenAreSilentUnlessAskedFor_data() {
        QTest::addColumn<QString>("way");
        QTest::newRow("fork") << "forks";
        QTest::newRow("the system call itself") << "rawfork";
    }
    void forkedChildrenAreSilentUnlessAskedFor() {
        QFETCH(QString, way);
        const AgentRecording recording = record(target({way, "200"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.count(AgentOp::Allocate, 1111), 200u);
        QCOMPARE(recording.count(AgentOp::Allocate, 2222), 0u);
        QCOMPARE(pidsOf(recording).size(), 1u);
        QCOMPARE(recording.contradictions(), 0u);
        QCOMPARE(recording.losses.damagedRings, 0u);
        QCOMPARE(recording.losses.children, 200u);
    }

    void forkedChildrenAreProcessesOfTheirOwn_data() { forkedChildrenAreSilentUnlessAskedFor_data(); }
    void forkedChildrenAreProcessesOfTheirOwn() {
        QFETCH(QString, way);
        const AgentRecording recording = record(target({way, "200"}, withChildren()));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.losses.events + recording.losses.withoutRing + recording.losses.children, 0u);
        QCOMPARE(recording.count(AgentOp::Allocate, 1111), 200u);
        QCOMPARE(recording.count(AgentOp::Allocate, 2222), 1000u);
        if (way == "forks") QCOMPARE(recording.count(AgentOp::Allocate, 3333), 200u);
        for (const AgentEvent& event : recording.events) {
            if (event.op != AgentOp::Allocate || (event.size != 1111 && event.size != 2222)) continue;
            QCOMPARE(event.pid == recording.pid, event.size == 1111);
        }
        const auto starts = recording.all(AgentOp::ProcessStart);
        QCOMPARE(starts.size(), 201u);
        QCOMPARE(recording.count(AgentOp::ProcessEnd), 201u);
        for (const AgentEvent& event : starts) {
            QCOMPARE(event.flags == 1, event.pid != recording.pid);
            if (event.flags == 1) QCOMPARE(event.oldAddress, Address{recording.pid});
        }
    }

    void aVforkedChildIsNobodyElse() {
        const AgentRecording recording = record(target({"vfork", "200"}, withChildren()));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.count(AgentOp::Allocate, 1111), 200u);
        QCOMPARE(pidsOf(recording).size(), 1u);
    }

    // Its number is reused, and so is its file's.
    void somethingElseInThePlaceOfTheChannelIsLeftAlone_data() {
        QTest::addColumn<bool>("isPipe");
        QTest::addColumn<QByteArray>("before");
        for (const bool isPipe : {true, false}) {
            for (const char* before : {"", "0:"})
                QTest::addRow("%s, %s", isPipe ? "a pipe" : "a file", *before ? "named in full" : "by its path")
                    << isPipe << QByteArray(before);
        }
    }
    void somethingElseInThePlaceOfTheChannelIsLeftAlone() {
        QFETCH(bool, isPipe);
        QFETCH(QByteArray, before);
        std::array<int, 2> ends{};
        QTemporaryFile file;
        if (isPipe) {
            QVERIFY(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
        } else {
            QVERIFY(file.open());
            ends = {::dup(file.handle()), ::dup(file.handle())};
        }
        const QByteArray text(64 * 200, 'w');
        for (const bool isEmpty : {false, true}) {
            if (!isEmpty)
                QCOMPARE(::write(ends[1], text.constData(), static_cast<std::size_t>(text.size())), text.size());
            QProcess program;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("LD_PRELOAD", QString::fromStdString(findAgentLibrary().string()));
            environment.insert(agent::kChannelVariable, before + QByteArray("/proc/%1/fd/%2")
                                                                     .replace("%1", QByteArray::number(getpid()))
                                                                     .replace("%2", QByteArray::number(ends[0])));
            program.setProcessEnvironment(environment);
            program.start("/bin/true", QStringList());
            QVERIFY2(program.waitForFinished(10'000), isEmpty ? "it waits for the pipe" : "it hangs");
            QCOMPARE(program.exitCode(), 0);
            QCOMPARE(program.readAllStandardError(), QByteArray());
            QByteArray left(text.size() + 1, '\0');
            if (!isPipe) QCOMPARE(::lseek(ends[0], 0, SEEK_SET), 0);
            if (!isEmpty) QCOMPARE(::read(ends[0], left.data(), static_cast<std::size_t>(left.size())), text.size());
        }
        ::close(ends[0]);
        ::close(ends[1]);
    }

    void aProgramThatClosesAllFilesIsStillRecorded() {
        const AgentRecording recording = record(target({"closefrom", "500"}));
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 500u);
        QCOMPARE(recording.end.exitCode, 7);
    }

    void whatWasDoneBeforeASuddenEndIsThere() {
        AgentRecording recording = record(target({"exit", "12345"}));
        QCOMPARE(recording.count(AgentOp::Allocate, 4242), 12345u);
        QCOMPARE(recording.end.exitCode, 3);
        recording = record(target({"crash", "12345"}));
        QCOMPARE(recording.count(AgentOp::Allocate, 4242), 12345u);
        QCOMPARE(recording.end.signal, SIGSEGV);
        QCOMPARE(recording.count(AgentOp::ProcessEnd), 1u);
        QCOMPARE(recording.count(AgentOp::ThreadEnd), recording.count(AgentOp::ThreadStart));
    }

    void aTargetThatIsKilledEndsTheRecording() {
        auto channel = AgentChannel::create({});
        QVERIFY(channel.hasValue());
        AgentLaunch launch;
        launch.program = targetPath("agent_target").toStdString();
        launch.arguments = {"many", "1000000000"};
        auto process = launchUnderAgent(*channel.value(), launch);
        QVERIFY(process.hasValue());
        std::size_t seen = 0;
        std::size_t processEnds = 0;
        std::size_t threadEnds = 0;
        const auto sink = [&](std::span<const AgentEvent> events) {
            if (seen < 100'000 && seen + events.size() >= 100'000) kill(process.value().pid(), SIGKILL);
            seen += events.size();
            for (const AgentEvent& event : events) {
                processEnds += event.op == AgentOp::ProcessEnd ? 1 : 0;
                threadEnds += event.op == AgentOp::ThreadEnd ? 1 : 0;
            }
        };
        channel.value()->run(sink, {}, [&] { return process.value().hasEnded(); });
        QCOMPARE(process.value().waitForEnd().signal, SIGKILL);
        QCOMPARE(processEnds, 1u);
        QCOMPARE(threadEnds, 1u);
        QCOMPARE(channel.value()->losses().damagedRings, 0u);
        QCOMPARE(channel.value()->runningProcesses(), 0u);
    }
};
HIGHWATER_TEST(AgentRecordingTest);

#include "recording_test.moc"
