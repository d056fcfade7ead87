#include "core/agent_linux/ticks.h"
#include "core/base/progress.h"
#include "core/source/agent/agent_source_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/targets/agent_target.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <stop_token>
#include <sys/resource.h>
#include <thread>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr const char* kUnshare = "/usr/bin/unshare";

bool canMakeNamespaces() { return QProcess::execute(kUnshare, {"-pf", "/bin/true"}) == 0; }

/// Number of blocks that each process of "numbers" and similar cases made.
std::map<std::uint32_t, std::size_t> blocksOfProcesses(const AgentRecording& recording) {
    std::map<std::uint32_t, std::size_t> blocks;
    for (const AgentEvent& event : recording.all(AgentOp::Allocate))
        if (event.size == kBytesOfProcess) ++blocks[event.pid];
    return blocks;
}

std::set<std::uint32_t> all(const AgentRecording& recording, AgentOp op) {
    std::set<std::uint32_t> numbers;
    for (const AgentEvent& event : recording.all(op))
        numbers.insert(op == AgentOp::ThreadStart ? event.tid : event.pid);
    return numbers;
}

/// The output of "numbers": its number ("123"), and that of a thread ("123/task/124").
struct Numbers {
    std::set<std::uint32_t> processes;
    std::set<std::uint32_t> threads;
};
Numbers printedIn(const QByteArray& output) {
    Numbers numbers;
    for (const auto& line : output.split('\n')) {
        const auto words = line.split('/');
        if (words.size() == 1 && !line.isEmpty()) numbers.processes.insert(line.toUInt());
        if (words.size() == 3) numbers.threads.insert(words[2].toUInt());
    }
    return numbers;
}

/// Ends soon after the last process, which lives that long.
AgentRecording recordWithin(const AgentRun& run, qint64 milliseconds) {
    QElapsedTimer timer;
    timer.start();
    auto recording = record(run);
    if (timer.elapsed() > milliseconds) recording.problem = QStringLiteral("took %1 ms").arg(timer.elapsed());
    return recording;
}

/// Collects the remarks of the source as text to search.
class Sentences : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records)
            if (record.kind == etl::RawRecord::Kind::Provider)
                text += std::string(reinterpret_cast<const char*>(record.payload), record.payloadBytes);
    }
    std::string text;
};

/// A recorder that is slow just when it is stopped.
class SlowAtStop : public etl::RecordSink {
  public:
    explicit SlowAtStop(std::stop_source stop) : stop_(std::move(stop)) {}
    void onBatch(etl::RecordBatch& batch) override {
        if (!batch.records.empty()) lastTicks = std::max(lastTicks, batch.records.back().ticks);
        if (batch.records.size() < kManyRecords || stop_.stop_requested()) return;
        stop_.request_stop();
        stoppedAt = static_cast<std::int64_t>(agent::monotonicNs());
        std::this_thread::sleep_for(kSlow);
    }
    static constexpr auto kSlow = std::chrono::seconds(1);
    std::int64_t stoppedAt = 0;
    std::int64_t lastTicks = 0;

  private:
    static constexpr std::size_t kManyRecords = 100;
    std::stop_source stop_;
};

/// Processor time of this process (the reader), user and system.
std::chrono::milliseconds ownProcessorTime() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    return std::chrono::duration_cast<std::chrono::milliseconds>(of(usage.ru_utime) + of(usage.ru_stime));
}

/// Records with highwater-cli's source until the recording ends.
Result<std::string> runSource(const QStringList& words, const AgentOptions& options) {
    AgentLaunch launch;
    launch.program = words[0].toStdString();
    for (const auto& word : words.mid(1))
        launch.arguments.push_back(word.toStdString());
    auto source = TRY(AgentSource::launch(options, launch));
    Sentences sentences;
    TraceHealth health;
    Progress progress;
    auto result = source->run(sentences, health, {}, progress);
    return result.hasValue() ? Result<std::string>(sentences.text) : Result<std::string>(result.error());
}

} // namespace

/// Which processes a recording with children contains, and when it ends.
class AgentProcessesTest : public QObject {
    Q_OBJECT

  private slots:
    void processesOfOtherNamespacesHaveTheNumbersThatWeSee_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("processes");
        const auto program = targetPath("agent_target");
        QTest::newRow("the same namespace") << QStringList{"/usr/bin/env", program, "numbers", "100"} << 1;
        QTest::newRow("a new one") << QStringList{kUnshare, "-pf", program, "numbers", "100"} << 1;
        QTest::newRow("one in another") << QStringList{kUnshare, "-pf", kUnshare, "-pf", program, "numbers", "100"}
                                        << 1;
        const auto inside =
            QStringLiteral("%1 -pf %2 numbers 300 & %1 -pf %2 numbers 300 & wait").arg(kUnshare, program);
        QTest::newRow("two with equal numbers inside") << QStringList{"/bin/sh", "-c", inside} << 2;
        const auto several = QStringLiteral("%1 numbers 100 & %1 numbers 100; wait").arg(program);
        QTest::newRow("several in one") << QStringList{kUnshare, "-pf", "/bin/sh", "-c", several} << 2;
        QTest::newRow("a short one") << QStringList{kUnshare, "-pf", program, "numbers", "0"} << 1;
    }
    void processesOfOtherNamespacesHaveTheNumbersThatWeSee() {
        QFETCH(QStringList, words);
        QFETCH(int, processes);
        if (words.join(' ').contains(kUnshare) && !canMakeNamespaces()) QSKIP("no pid namespace can be made here");
        const AgentRecording recording = recordWithin({words[0], words.mid(1), withChildren()}, 15'000);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        const auto printed = printedIn(recording.output);
        QCOMPARE(printed.processes.size(), std::size_t(processes));
        QCOMPARE(printed.threads.size(), std::size_t(processes));
        const auto blocks = blocksOfProcesses(recording);
        QCOMPARE(blocks.size(), std::size_t(processes));
        for (const auto& [pid, count] : blocks) {
            QVERIFY2(printed.processes.contains(pid), qPrintable(QString::number(pid)));
            QCOMPARE(count, std::size_t(kBlocksOfProcess));
        }
        const auto threads = all(recording, AgentOp::ThreadStart);
        for (const auto thread : printed.threads)
            QVERIFY2(threads.contains(thread), qPrintable(QString::number(thread)));
        QCOMPARE(all(recording, AgentOp::ProcessEnd), all(recording, AgentOp::ProcessStart));
        QCOMPARE(recording.losses.unknownNumbers, 0u);
    }

    void nothingIsRecordedAfterTheStopHoweverLongReadingTakes() {
        AgentLaunch launch;
        launch.program = targetPath("agent_target").toStdString();
        launch.arguments = {"many", "1000000000"};
        auto launched = AgentSource::launch({}, launch);
        QVERIFY2(launched.hasValue(), launched.hasValue() ? "" : launched.error().message.c_str());
        auto source = std::move(launched).value();
        std::stop_source stop;
        SlowAtStop sink(stop);
        TraceHealth health;
        Progress progress;
        QVERIFY(source->run(sink, health, stop.get_token(), progress).hasValue());
        ::kill(source->pid(), SIGKILL);
        QVERIFY(sink.stoppedAt > 0);
        QVERIFY2(sink.lastTicks < sink.stoppedAt + std::chrono::nanoseconds(SlowAtStop::kSlow).count() / 2,
                 qPrintable(QString::number(static_cast<double>(sink.lastTicks - sink.stoppedAt) / 1e9)));
    }

    void aProcessWithAProcOfItsOwnIsSaid() {
        if (!canMakeNamespaces()) QSKIP("no pid namespace can be made here");
        const QStringList words{"-pf", "--mount-proc", targetPath("agent_target"), "numbers", "100"};
        const AgentRecording recording = recordWithin({kUnshare, words, withChildren()}, 15'000);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(printedIn(recording.output).processes, std::set<std::uint32_t>{1});
        QCOMPARE(recording.losses.unrecorded.size(), std::size_t{1});
        QCOMPARE(recording.losses.unrecorded[0].obstacle, agent::Obstacle::OutOfReach);
        QVERIFY(recording.losses.unrecorded[0].file.ends_with("agent_target"));
    }

    void aDaemonIsRecordedToItsEnd() {
        const AgentRecording recording = recordWithin(target({"daemon", "700"}, withChildren()), 10'000);
        QCOMPARE(recording.problem, QString());
        const auto blocks = blocksOfProcesses(recording);
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(blocks.begin()->second, std::size_t(kBlocksOfProcess));
        QVERIFY(blocks.begin()->first != recording.pid);
        QCOMPARE(all(recording, AgentOp::ProcessEnd), all(recording, AgentOp::ProcessStart));
    }

    void aDaemonThatExecutesAProgramIsRecordedToItsEnd() {
        const auto script = QStringLiteral("(sleep 0.6; exec %1 numbers 100) & exit 0").arg(targetPath("agent_target"));
        const AgentRecording recording = recordWithin({"/bin/sh", {"-c", script}, withChildren()}, 10'000);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(blocksOfProcesses(recording).size(), std::size_t{1});
    }

    // A static program passes its environment on.
    void whoStartsSomethingLaterIsWaitedFor() {
        const auto script = QStringLiteral("%1 later %2 numbers 100 & exit 0")
                                .arg(targetPath("agent_static"), targetPath("agent_target"));
        const AgentRecording recording = recordWithin({"/bin/sh", {"-c", script}, withChildren()}, 10'000);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(blocksOfProcesses(recording).size(), std::size_t{1});
    }

    void childrenThatNobodyWaitsForEnd() {
        const AgentRecording recording = recordWithin(target({"zombies", "700"}, withChildren()), 10'000);
        QCOMPARE(recording.problem, QString());
        QCOMPARE(blocksOfProcesses(recording).size(), std::size_t{3});
        const auto ends = recording.all(AgentOp::ProcessEnd);
        QCOMPARE(ends.size(), std::size_t{4});
        QVERIFY(ends[2].timeNs < ends[3].timeNs - 300'000'000); // not when their parent ends
    }

    void waitingTakesNoProcessorTime_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("isPaced");
        const auto program = targetPath("agent_target");
        for (const bool isPaced : {false, true}) {
            const auto* how = isPaced ? ", when idle" : "";
            QTest::addRow("a program%s", how) << QStringList{program, "numbers", "2500"} << isPaced;
            QTest::addRow("a daemon%s", how) << QStringList{program, "daemon", "1250"} << isPaced;
            QTest::addRow("a child that outlives%s", how)
                << QStringList{"/bin/sh", "-c", program + " numbers 2500 & exit 0"} << isPaced;
            QTest::addRow("a namespace%s", how) << QStringList{kUnshare, "-pf", program, "numbers", "2500"} << isPaced;
        }
    }
    void waitingTakesNoProcessorTime() {
        QFETCH(QStringList, words);
        QFETCH(bool, isPaced);
        if (words[0] == kUnshare && !canMakeNamespaces()) QSKIP("no pid namespace can be made here");
        auto options = withChildren();
        if (isPaced) options.reading = AgentOptions::Reading::WhenIdle;
        QElapsedTimer timer;
        timer.start();
        const auto before = ownProcessorTime();
        const auto said = runSource(words, options);
        const auto used = ownProcessorTime() - before;
        QVERIFY(said.hasValue());
        QVERIFY2(timer.elapsed() > 2400, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(used.count() < 350, qPrintable(QStringLiteral("%1 ms of processor time").arg(used.count())));
    }

    void aProcessIsCalledAsItWasStarted() {
        const QTemporaryDir folder;
        const auto link = folder.filePath("redis-server"), script = folder.filePath("tool.sh");
        QVERIFY(QFile::link(targetPath("agent_target"), link));
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(("#!/bin/sh\n" + link + " numbers 0\nexec " + link + " execl\n").toLocal8Bit());
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const AgentRecording recording = record({script, {}, withChildren()});
        QCOMPARE(recording.problem, QString());
        QStringList names;
        for (const AgentEvent& event : recording.all(AgentOp::ProcessStart))
            names << (event.detail != nullptr ? QString::fromStdString(event.detail->path) : QString());
        names.removeAll("tool.sh"); // the script, and its fork
        // The last one is started as /proc/self/exe, which is a name that the system provides.
        QCOMPARE(names, (QStringList{"redis-server", "redis-server", ""}));
    }

    void cutStacksAreSaid() {
        const auto said = runSource({targetPath("agent_target"), "stacks"}, {});
        QVERIFY(said.hasValue());
        QVERIFY(QByteArray::fromStdString(said.value()).contains("cut at 192 frames"));
        const auto whole = runSource({targetPath("agent_target"), "many", "10"}, {});
        QVERIFY(!QByteArray::fromStdString(whole.value()).contains("were cut"));
    }

    // They run as they do alone, and are reported with the reason.
    void programsThatTheAgentWouldHarmRunWithoutIt_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("obstacle");
        QTest::newRow("musl") << "musl-gcc" << QStringList{} << int(agent::Obstacle::OtherLibc);
        QTest::newRow("address") << "gcc" << QStringList{"-fsanitize=address"} << int(agent::Obstacle::Sanitizer);
        QTest::newRow("thread") << "gcc" << QStringList{"-fsanitize=thread"} << int(agent::Obstacle::Sanitizer);
        QTest::newRow("leak") << "gcc" << QStringList{"-fsanitize=leak"} << int(agent::Obstacle::Sanitizer);
        QTest::newRow("static") << "gcc" << QStringList{"-static"} << int(agent::Obstacle::Static);
    }
    void programsThatTheAgentWouldHarmRunWithoutIt() {
        QFETCH(QString, compiler);
        QFETCH(QStringList, options);
        QFETCH(int, obstacle);
        const QTemporaryDir folder;
        const auto program = compileProgram(folder, compiler, options);
        if (program.isEmpty()) QSKIP("this compiler is not installed, or cannot make that here");
        const auto spawn =
            "import subprocess,sys; sys.exit(subprocess.run(['" + program + "'], close_fds=False).returncode)";
        for (const auto& run : {AgentRun{"/bin/sh", {"-c", "exec " + program}}, AgentRun{"/usr/bin/env", {program}},
                                AgentRun{"/bin/sh", {"-c", program}, withChildren()},
                                AgentRun{"/bin/sh", {"-c", "exec " + program}, withChildren()},
                                AgentRun{"/usr/bin/python3", {"-c", spawn}, withChildren()}}) {
            if (!QFile::exists(run.program)) continue;
            const AgentRecording alone = runAlone(run), recording = record(run);
            QCOMPARE(recording.problem, QString());
            QCOMPARE(recording.end.exitCode, alone.end.exitCode);
            QCOMPARE(recording.output, alone.output);
            QCOMPARE(recording.errors, alone.errors);
            QCOMPARE(recording.losses.unrecorded.size(), std::size_t{1});
            QCOMPARE(int(recording.losses.unrecorded[0].obstacle), obstacle);
            QCOMPARE(QString::fromStdString(recording.losses.unrecorded[0].file), program);
            QCOMPARE(recording.losses.unrecordable, 0u);
        }
    }

    void tryingToStartWhatIsNotThereIsNotSaid() {
        const AgentRecording recording =
            record({"/bin/sh", {"-c", "/nowhere/at/all; nosuchprogram; exec /nowhere/else"}, withChildren()});
        QCOMPARE(recording.losses.unrecorded.size(), std::size_t{0});
        QCOMPARE(recording.losses.unrecordable, 0u);
    }
};
HIGHWATER_TEST(AgentProcessesTest);

#include "agent_processes_test.moc"
