#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/core/agent/trials.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr qint64 kAtOnceMs = 3'000; ///< on a busy machine

/// exiting_program, recorded by a reader that wants to be waited for.
class ExitingProgram {
  public:
    explicit ExitingProgram(const QString& way, bool isWanted = true) {
        AgentOptions options;
        options.waitsAtExit = true;
        options.children = AgentOptions::Children::Recorded;
        channel_ = std::move(AgentChannel::create(options)).value();
        if (isWanted) channel_->whenProcessWaits([this](std::uint32_t pid) { waiting.push_back(pid); });
        AgentLaunch launch;
        launch.program = targetPath("exiting_program").toStdString();
        launch.arguments = {way.toStdString()};
        launch.output = ::open(folder_.filePath("out").toLocal8Bit(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        target_.emplace(std::move(launchUnderAgent(*channel_, launch)).value());
        ::close(*launch.output);
    }
    ~ExitingProgram() {
        if (!target_->hasEnded()) ::kill(target_->pid(), SIGKILL);
        static_cast<void>(target_->waitForEnd());
    }
    /// Reads what it writes until the condition is true; false: after 30 seconds.
    template <typename Condition>
    bool readUntil(const Condition& condition) {
        for (QElapsedTimer timer = started(); timer.elapsed() < 30'000; QTest::qSleep(2)) {
            channel_->drain([](std::span<const AgentEvent>) {});
            if (condition()) return true;
        }
        return false;
    }
    bool waits() {
        return readUntil([this] { return !waiting.empty(); });
    }
    bool ends() {
        return readUntil([this] { return target_->hasEnded(); });
    }
    static QElapsedTimer started() {
        QElapsedTimer timer;
        timer.start();
        return timer;
    }
    [[nodiscard]] QByteArray output() const { return fileText(folder_.filePath("out")); }
    [[nodiscard]] AgentTarget& target() { return *target_; }
    [[nodiscard]] AgentChannel& channel() { return *channel_; }

    std::vector<std::uint32_t> waiting;

  private:
    QTemporaryDir folder_;
    std::unique_ptr<AgentChannel> channel_;
    std::optional<AgentTarget> target_;
};

} // namespace

/// Programs that wait at their end for a picture of their memory.
class AgentExitTest : public QObject {
    Q_OBJECT

  private slots:
    void aProgramThatEndsByItselfWaits_data() {
        QTest::addColumn<QString>("way");
        QTest::newRow("returns from main") << "return";
        QTest::newRow("exit()") << "exit";
    }
    void aProgramThatEndsByItselfWaits() {
        QFETCH(const QString, way);
        ExitingProgram program(way);
        QVERIFY(program.waits());
        QCOMPARE(program.output(), QByteArray("handler\ndestroyed\n")); // it is the last of all handlers
        program.readUntil([timer = ExitingProgram::started()] { return timer.elapsed() > 300; });
        QVERIFY(!program.target().hasEnded());
        QCOMPARE(program.waiting, std::vector{static_cast<std::uint32_t>(program.target().pid())});
        const auto timer = ExitingProgram::started();
        program.channel().exitWaits()->letEnd(program.waiting.front());
        QVERIFY(program.ends());
        QVERIFY(timer.elapsed() < kAtOnceMs);
        QCOMPARE(program.target().waitForEnd().exitCode, 3);
        QCOMPARE(program.waiting.size(), std::size_t{1});
    }
    void otherEndsDoNotWait_data() {
        QTest::addColumn<QString>("way");
        for (const auto* way : {"_exit", "signal", "exec", "fork"})
            QTest::newRow(way) << way;
    }
    void otherEndsDoNotWait() {
        QFETCH(const QString, way);
        ExitingProgram program(way);
        const auto timer = ExitingProgram::started();
        QVERIFY(program.ends());
        QVERIFY(timer.elapsed() < kAtOnceMs);
        QVERIFY(program.waiting.empty());
        if (way == "fork") QVERIFY(program.output().endsWith("waited\n"));
    }
    void withoutInterestItEndsAtOnce() {
        ExitingProgram program("return", false);
        const auto timer = ExitingProgram::started();
        QVERIFY(program.ends());
        QVERIFY(timer.elapsed() < kAtOnceMs);
    }
    void itEndsWithTheRecording() {
        ExitingProgram program("return");
        QVERIFY(program.waits());
        const auto timer = ExitingProgram::started();
        program.channel().stopRecording();
        QVERIFY(program.ends());
        QVERIFY(timer.elapsed() < kAtOnceMs);
    }
    /// The limit is that after which a reader has ended.
    void aReaderThatHangsIsNotWaitedFor() {
        ExitingProgram program("return");
        QVERIFY(program.waits());
        QTRY_VERIFY_WITH_TIMEOUT(program.target().hasEnded(), 9'000);
    }
    void aProgramThatIsKilledMeanwhileHasEnded() {
        ExitingProgram program("return");
        QVERIFY(program.waits());
        ::kill(program.target().pid(), SIGKILL);
        QVERIFY(program.ends());
        program.channel().exitWaits()->letEnd(program.waiting.front());
        QVERIFY(program.readUntil([&] { return program.channel().isOver(); }));
    }
    void itEndsWhenItsRecorderIsKilled() {
        const QTemporaryDir folder;
        for (int round = 0; round < 5; ++round) {
            Stranger recorder(targetPath("agent_reader"),
                              {"--waits", folder.filePath("out"), targetPath("exiting_program"), "return"});
            QVERIFY(recorder.hasSaid("waits\n"));
            const auto pid = recorder.said().split('\n').first().toInt();
            QTest::qSleep(round * 20);
            QCOMPARE(::kill(pid, 0), 0);
            recorder.kill();
            QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), kAtOnceMs);
        }
    }

  private:
    static bool isAlive(int pid) {
        const auto state = fileText(QStringLiteral("/proc/%1/stat").arg(pid));
        return !state.isEmpty() && !state.contains(") Z");
    }
};
HIGHWATER_TEST(AgentExitTest);

#include "agent_exit_test.moc"
