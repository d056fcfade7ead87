#include "core/agent_linux/channel_layout.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/targets/agent_target.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <set>
#include <sys/wait.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// "Allocate" and "Free" of agent_target's "many", whose blocks have 100 bytes: two for each.
std::size_t eventsOfMany(const AgentRecording& recording) {
    std::set<Address> places;
    for (const AgentEvent& event : recording.all(AgentOp::Allocate))
        if (event.size == 100) places.insert(event.address);
    return recording.count(AgentOp::Allocate, 100) +
           static_cast<std::size_t>(std::ranges::count_if(recording.events, [&](const AgentEvent& event) {
               return event.op == AgentOp::Free && places.contains(event.address);
           }));
}

} // namespace

/// The channel between target and reader when one of them does not keep up, or is gone.
class AgentChannelTest : public QObject {
    Q_OBJECT

  private slots:
    void whatDoesNotFitIsCountedExactly() {
        constexpr int kBlocks = 200'000;
        AgentRun run = target({"many", QString::number(kBlocks)});
        run.options.mostBytes = 1 << 20;
        run.isDrainedLate = true;
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 7);
        QVERIFY(recording.losses.events > 100'000);
        // The program's few other blocks are all made before the memory is full.
        const std::size_t others = recording.count(AgentOp::Allocate) - recording.count(AgentOp::Allocate, 100);
        QVERIFY(others < 100);
        const std::size_t seen = eventsOfMany(recording);
        QVERIFY(seen > 10'000);
        const std::size_t made = 2 * kBlocks;
        // At its end the program frees its earlier blocks: those frees are lost as well.
        QVERIFY2(seen + recording.losses.events >= made && seen + recording.losses.events <= made + others,
                 qPrintable(QStringLiteral("%1 seen, %2 lost").arg(seen).arg(recording.losses.events)));
        ByteCount said = 0;
        for (const AgentEvent& event : recording.all(AgentOp::Lost)) {
            said += event.size;
            QVERIFY(event.oldAddress <= event.address);
        }
        QCOMPARE(said, recording.losses.events);
    }

    void aRingGrowsWhileThereIsMemory() {
        AgentRun run = target({"many", "200000"});
        run.isDrainedLate = true;
        const AgentRecording recording = record(run);
        QCOMPARE(recording.losses.events, 0u);
        QCOMPARE(eventsOfMany(recording), 400'000u);
    }

    void whatIsReadInPiecesIsNoLess() {
        AgentRun run = target({"many", "20000"});
        run.eventsAtOnce = 100; // it ends long before it is read
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.losses.events, 0u);
        QCOMPARE(recording.losses.late, 0u);
        QCOMPARE(eventsOfMany(recording), 40'000u);
        QCOMPARE(recording.contradictions(), 0u);
        QCOMPARE(recording.events.front().op, AgentOp::ProcessStart);
        QCOMPARE(recording.events.back().op, AgentOp::ProcessEnd);
        QCOMPARE(recording.count(AgentOp::ThreadEnd), recording.count(AgentOp::ThreadStart));
    }

    // A thread that ended in time has its last events before its end, and neither end comes too early.
    void whatIsReadInPiecesHasItsTimes() {
        AgentRun run = target({"starts", "8"});
        run.eventsAtOnce = 50;
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.contradictions(), 0u);
        QCOMPARE(recording.count(AgentOp::Allocate, kFirstSizeOfStarts), std::size_t{kBlocksOfSlice});
        std::map<std::uint32_t, std::int64_t> lastOf;
        std::size_t ended = 0;
        for (const AgentEvent& event : recording.events) {
            if (event.op == AgentOp::ThreadEnd) {
                // Threads end within milliseconds of their last event; the reader lags more than that.
                QVERIFY2(event.timeNs - lastOf[event.tid] < 50'000'000, qPrintable(QString::number(event.tid)));
                ++ended;
            }
            lastOf[event.tid] = event.timeNs;
        }
        QCOMPARE(ended, std::size_t{9});
    }

    // When its start is delivered, a process may be gone, and so may its threads.
    void whatIsLeftWaitsAndWhatCanBeAskedIsAsked() {
        auto channel = AgentChannel::create({});
        QVERIFY(channel.hasValue());
        std::vector<std::uint32_t> found;
        channel.value()->whenProcessIsFound([&](std::uint32_t pid) { found.push_back(pid); });
        AgentLaunch launch;
        launch.program = targetPath("agent_target").toStdString();
        launch.arguments = {"bursts", "1"};
        auto process = launchUnderAgent(*channel.value(), launch);
        QVERIFY(process.hasValue());
        siginfo_t why{};
        QCOMPARE(waitid(P_PID, static_cast<id_t>(process.value().pid()), &why, WSTOPPED), 0);
        QTest::qSleep(2); // all of it is complete then
        std::vector<AgentEvent> events;
        std::string named;
        const auto sink = [&](std::span<const AgentEvent> some) {
            for (const AgentEvent& event : some) {
                events.push_back(event);
                if (event.op == AgentOp::ThreadName) named = event.detail->path;
            }
        };
        channel.value()->look();
        QCOMPARE(channel.value()->read(sink, 0), 2u); // its starts come before all written events
        QCOMPARE(events.back().op, AgentOp::ThreadStart);
        QCOMPARE(found, std::vector<std::uint32_t>{static_cast<std::uint32_t>(process.value().pid())});
        const auto backlog = channel.value()->backlog();
        QVERIFY(backlog.bytes >= 20'000 * (16 + 8) - agent::kChunkBytes); // the rest is in the part being written
        QVERIFY(backlog.lagNs > 2'000'000);
        QCOMPARE(backlog.threads, 1u);
        QCOMPARE(backlog.processes, 1u);
        kill(process.value().pid(), SIGKILL);
        process.value().waitForEnd();
        channel.value()->look();
        QCOMPARE(channel.value()->read(sink, 1), 1u);
        QCOMPARE(channel.value()->runningProcesses(), 1u);
        channel.value()->drain(sink);
        QCOMPARE(events.back().op, AgentOp::ProcessEnd);
        QCOMPARE(named, std::string("agent_target"));
        QCOMPARE(channel.value()->backlog().bytes, 0u);
        QCOMPARE(channel.value()->backlog().lagNs, 0);
    }

    // Each burst takes half of the memory; all of them together five times the whole.
    void memoryThatWasReadIsUsedAgain() {
        constexpr std::size_t kBursts = 10;
        AgentOptions options;
        options.mostBytes = 1 << 20;
        auto channel = AgentChannel::create(options);
        QVERIFY(channel.hasValue());
        AgentLaunch launch;
        launch.program = targetPath("agent_target").toStdString();
        launch.arguments = {"bursts", std::to_string(kBursts)};
        auto process = launchUnderAgent(*channel.value(), launch);
        QVERIFY(process.hasValue());
        std::size_t seen = 0;
        const auto sink = [&](std::span<const AgentEvent> events) {
            for (const AgentEvent& event : events)
                seen += event.op == AgentOp::Allocate && event.size == 100 ? 1 : 0;
        };
        for (std::size_t burst = 1; burst <= kBursts; ++burst) {
            siginfo_t why{};
            QCOMPARE(waitid(P_PID, static_cast<id_t>(process.value().pid()), &why, WSTOPPED | WEXITED | WNOWAIT), 0);
            QCOMPARE(why.si_code, CLD_STOPPED);
            for (int tries = 0; seen < burst * 20'000 && tries < 1000; ++tries) {
                channel.value()->drain(sink);
                QTest::qSleep(1); // the latest events are not complete yet
            }
            QCOMPARE(seen, burst * 20'000);
            QCOMPARE(waitid(P_PID, static_cast<id_t>(process.value().pid()), &why, WSTOPPED), 0);
            kill(process.value().pid(), SIGCONT);
        }
        QCOMPARE(process.value().waitForEnd().exitCode, 0);
        QCOMPARE(channel.value()->losses().events, 0u);
    }

    // The program ends while its first batch of events is read; the second takes long.
    void aSlowReaderDoesNotMakeAProgramLastLonger() {
        auto channel = AgentChannel::create({});
        QVERIFY(channel.hasValue());
        AgentLaunch launch;
        launch.program = targetPath("agent_target").toStdString();
        launch.arguments = {"bursts", "1"};
        auto process = launchUnderAgent(*channel.value(), launch);
        QVERIFY(process.hasValue());
        siginfo_t why{};
        QCOMPARE(waitid(P_PID, static_cast<id_t>(process.value().pid()), &why, WSTOPPED), 0);
        std::int64_t endNs = 0;
        std::int64_t hasEndedNs = 0;
        int batches = 0;
        const auto sink = [&](std::span<const AgentEvent> events) {
            for (const AgentEvent& event : events)
                if (event.op == AgentOp::ProcessEnd) endNs = event.timeNs;
            if (++batches == 1) {
                kill(process.value().pid(), SIGCONT);
                process.value().waitForEnd();
            } else if (batches == 2) {
                hasEndedNs = channel.value()->nowNs();
                QTest::qSleep(500);
            }
        };
        channel.value()->run(sink, {}, [&] { return process.value().hasEnded(); });
        QVERIFY(batches > 2);
        QVERIFY(endNs > 0);
        QVERIFY2(endNs <= hasEndedNs, qPrintable(QStringLiteral("%1 ns later").arg(endNs - hasEndedNs)));
    }

    void aTargetWhoseReaderIsSilentGoesQuiet() {
        AgentRun run = target({"many", "500000"});
        run.options.staleNs = 1000; // over before the first ring is full
        run.isDrainedLate = true;
        const AgentRecording recording = record(run);
        QCOMPARE(recording.end.exitCode, 7);
        QCOMPARE(recording.output, runAlone(run).output);
        QCOMPARE(eventsOfMany(recording), 0u);
        QVERIFY(recording.losses.events >= 1'000'000u);
    }

    void aTargetOutlivesTheChannel() {
        const QByteArray expected = runAlone(target({"many", "30000000"})).output;
        const QTemporaryDir folder;
        AgentTarget::End end;
        std::size_t seen = 0;
        {
            auto channel = AgentChannel::create({});
            QVERIFY(channel.hasValue());
            AgentLaunch launch;
            launch.program = targetPath("agent_target").toStdString();
            launch.arguments = {"many", "30000000"};
            QFile output(folder.filePath("out"));
            QVERIFY(output.open(QIODevice::WriteOnly));
            launch.output = output.handle();
            auto process = launchUnderAgent(*channel.value(), launch);
            QVERIFY(process.hasValue());
            while (seen < 10'000)
                channel.value()->drain([&](std::span<const AgentEvent> events) { seen += events.size(); });
            QVERIFY(!process.value().hasEnded());
            channel.value()->stopRecording();
            channel = Error{};
            end = process.value().waitForEnd();
        }
        QFile output(folder.filePath("out"));
        QVERIFY(output.open(QIODevice::ReadOnly));
        QCOMPARE(end.exitCode, 7);
        QCOMPARE(output.readAll(), expected);
    }

    void aTargetOutlivesAReaderThatIsKilled() {
        const QStringList arguments{"many", "30000000"};
        const QByteArray expected = runAlone(target(arguments)).output;
        const QTemporaryDir folder;
        QProcess reader;
        reader.start(targetPath("agent_reader"),
                     QStringList{folder.filePath("out"), targetPath("agent_target")} + arguments);
        QVERIFY(reader.waitForReadyRead(60'000));
        const int pid = reader.readLine().trimmed().toInt();
        QVERIFY(pid > 0);
        reader.kill();
        QVERIFY(reader.waitForFinished());
        QVERIFY(kill(pid, 0) == 0); // is still alive
        QFile output(folder.filePath("out"));
        QVERIFY(output.open(QIODevice::ReadOnly));
        QTRY_VERIFY_WITH_TIMEOUT(output.size() >= expected.size(), 120'000);
        QCOMPARE(output.readAll(), expected);
    }

    void theAgentAloneChangesNothing() {
        qputenv("LD_PRELOAD", findAgentLibrary().c_str());
        const AgentRecording recording = runAlone(target({"many", "1000"}));
        qunsetenv("LD_PRELOAD");
        QCOMPARE(recording.end.exitCode, 7);
        QCOMPARE(recording.errors, QByteArray());
    }

    // Spaces and colons separate libraries in LD_PRELOAD.
    void anInstallationPathMayHaveSpacesAndColons() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("a b:c"));
        AgentRun run = target({"many", "100"});
        run.library = folder.filePath("a b:c/libhighwater-agent.so");
        QVERIFY(QFile::copy(QString::fromStdString(findAgentLibrary().string()), run.library));
        const QByteArray data = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", folder.filePath("data").toLocal8Bit());
        const AgentRecording recording = record(run);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 100u);
        data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
        QVERIFY(QDir(folder.filePath("data/highwater/agent")).exists()); // where the link was
        QVERIFY(QDir(folder.filePath("data/highwater/agent")).isEmpty());
    }

    void withoutTheLibraryThereIsNoChannel() {
        const auto channel = AgentChannel::create({}, "/nowhere/agent.so");
        QVERIFY(!channel.hasValue());
        QCOMPARE(channel.error().kind, ErrorKind::NotFound);
    }
};
HIGHWATER_TEST(AgentChannelTest);

#include "agent_channel_test.moc"
