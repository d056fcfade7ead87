#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace highwater::tests;

namespace {

/// pictured_program, once it waits with its planted blocks.
class PicturedProgram {
  public:
    PicturedProgram() {
        const auto isThere = folder_.filePath("there");
        program_.start(HIGHWATER_PICTURED_PROGRAM, {isThere, HIGHWATER_PICTURED_LIBRARY});
        if (!QTest::qWaitFor([&] { return QFile::exists(isThere); }, 60'000)) qFatal("It does not wait.");
    }
    ~PicturedProgram() { end(); }
    void end() {
        program_.kill();
        program_.waitForFinished();
    }
    [[nodiscard]] std::string pid() const { return std::to_string(program_.processId()); }
    [[nodiscard]] bool runs() const { return program_.state() == QProcess::Running; }

  private:
    QTemporaryDir folder_;
    QProcess program_;
};

/// Whether the command has read the memory from which the process is to grow.
bool isWaiting(QProcess& command) {
    std::string messages;
    return QTest::qWaitFor(
        [&] {
            messages += command.readAllStandardError().toStdString();
            return has(messages, "Waiting until the resident memory of process ");
        },
        60'000);
}

} // namespace

/// `picture` of running programs.
class PictureCommandTest : public QObject {
    Q_OBJECT

  private slots:
    void namesTheHoldersOfARunningProcess() {
        PicturedProgram program;
        const auto file = temporaryPath("picture.etl");
        const auto answer = runCliProgram({"picture", program.pid(), "-o", file, "--no-symbols", "--top", "40"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QVERIFY2(has(answer.messages, "The picture of memory was saved as " + file), answer.messages.c_str());
        for (const auto* part :
             {" reachable, ", " unreachable\n", "g_vector > (not in the trace)", "nothing (unreachable)"})
            QVERIFY2(has(answer.answers, part), answer.answers.c_str());
        QVERIFY(program.runs());
        QCOMPARE(runCli({"info", file, "--json"}).json()["pictures"].size(), std::size_t{1}); // it is copied once

        const auto again = runCliProgram({"picture", program.pid(), "-o", file, "--no-symbols", "--json"});
        QVERIFY2(has(again.messages, "The previous " + file + " was replaced."), again.messages.c_str());
        const auto process = again.json()["processes"].at(0);
        QCOMPARE(process["holders"].size(), std::size_t{5});
        QVERIFY(process["unreachable_count"].get<int>() >= 240);
        const auto holders = runCli({"holders", file, "--no-symbols", "--top", "5", "--format", "json"});
        QCOMPARE(again.json(), holders.json());
    }
    /// It has allocated nothing since then.
    void leaksAndCheckAnswerFromThePicture() {
        PicturedProgram program;
        const auto file = temporaryPath("picture-only.etl");
        const auto answer = runCliProgram({"picture", program.pid(), "-o", file, "--no-symbols"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        const auto leaks = runCli({"leaks", file, "--no-symbols"});
        QCOMPARE(leaks.exitCode, 0);
        QVERIFY2(has(leaks.answers, " are unreachable (picture at ") &&
                     has(leaks.answers, " s). They have no stack because they are not in the trace, for example "
                                        "because the recording began later.") &&
                     !has(leaks.messages, "has no heap allocations"),
                 leaks.answers.c_str());
        const auto checked = runCli({"check", file, "--no-symbols", "--unreachable", "0"});
        QVERIFY2(checked.exitCode == 4, checked.messages.c_str());
        QVERIFY2(has(checked.answers, "(not in the trace)"), checked.answers.c_str());
        const auto budget = runCli({"check", "--with", file, "--no-symbols", "--budget", file, "--unreachable", "0"});
        QCOMPARE(budget.exitCode, 2); // no allocations are not a small amount
    }
    void withoutANameEachPictureHasAFileOfItsOwn() {
        PicturedProgram program;
        const QTemporaryDir folder;
        for (int i = 0; i < 2; ++i) {
            QProcess command;
            command.setWorkingDirectory(folder.path());
            command.start(HIGHWATER_CLI, {"picture", QString::fromStdString(program.pid()), "--no-symbols"});
            QVERIFY(command.waitForFinished(120'000));
            QVERIFY2(command.exitCode() == 0, command.readAllStandardError());
        }
        const auto name = QString::fromStdString("picture-" + program.pid());
        QVERIFY(QFile::exists(folder.filePath(name + ".etl")));
        QVERIFY(QFile::exists(folder.filePath(name + "-2.etl")));
    }
    void waitsForGrowth() {
        QProcess growing;
        growing.start("/bin/bash",
                      {"-c", "read; for ((i = 0; i < 40; ++i)); do text+=$(printf '%300000d' 0); done; read"});
        QVERIFY(growing.waitForStarted());
        QProcess command;
        const auto file = temporaryPath("grown.etl");
        command.start(HIGHWATER_CLI, {"picture", QString::number(growing.processId()), "-o",
                                      QString::fromStdString(file), "--no-symbols", "--on-growth", "5MB"});
        QVERIFY(command.waitForStarted());
        QVERIFY(isWaiting(command));
        growing.write("\n");
        QVERIFY(growing.waitForBytesWritten());
        QVERIFY(command.waitForFinished(120'000));
        QVERIFY2(command.exitCode() == 0, command.readAllStandardError());
        QVERIFY(std::filesystem::exists(file));
        growing.write("\n");
        growing.waitForFinished();
    }
    void aProcessThatEndsBeforeItHasGrownHasNone() {
        PicturedProgram program;
        QProcess command;
        command.start(HIGHWATER_CLI, {"picture", QString::fromStdString(program.pid()), "-o",
                                      QString::fromStdString(temporaryPath("ended.etl")), "--on-growth", "5MB"});
        QVERIFY(command.waitForStarted());
        QVERIFY(isWaiting(command));
        program.end();
        QVERIFY(command.waitForFinished(120'000));
        QCOMPARE(command.exitCode(), 2);
        const auto messages = command.readAllStandardError().toStdString();
        QVERIFY2(has(messages, " ended before its resident memory had grown by 5.0 MB"), messages.c_str());
        QVERIFY(!std::filesystem::exists(temporaryPath("ended.etl")));
    }
    void refusalsSayWhy_data() {
        QTest::addColumn<QString>("pid");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("no such process") << "4194304"
                                         << "Process 4194304 does not exist.";
        QTest::newRow("itself") << QString::number(QCoreApplication::applicationPid()) << "it is Highwater itself.";
    }
    void refusalsSayWhy() {
        QFETCH(const QString, pid);
        QFETCH(const QString, sentence);
        const auto answer = runCli({"picture", pid.toStdString(), "-o", temporaryPath("refused.etl")});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, sentence.toStdString()), answer.messages.c_str());
        QVERIFY(!std::filesystem::exists(temporaryPath("refused.etl")));
    }
    /// Empty values would otherwise count as none.
    void emptyValuesAreRefused() {
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"picture", ""},
              {"picture", "1", "--on-growth", ""},
              {"record", "--picture-on-growth", "", "-o", temporaryPath("empty.etl"), "--", "/bin/true"},
              {"check", temporaryPath("empty.etl"), "--unreachable", ""},
              {"picture", "1", "-o", ""},
              {"holders", temporaryPath("empty.etl"), "--core", ""}}) {
            const auto answer = runCli(words);
            QCOMPARE(answer.exitCode, 1);
            QVERIFY2(has(answer.messages, "the value is empty: write "), answer.messages.c_str());
        }
    }
    /// While the process cannot be stopped.
    void anEndThatComesFirstIsNamed_data() {
        QTest::addColumn<bool>("isOfTarget");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("of the target") << true << QByteArray(" ended before it was copied.");
        QTest::newRow("of the command") << false << QByteArray("because this command was interrupted.");
    }
    void anEndThatComesFirstIsNamed() {
        QFETCH(const bool, isOfTarget);
        QFETCH(const QByteArray, sentence);
        QProcess target, command;
        target.start(HIGHWATER_AGENT_TARGETS "/agent_target", {"blocked", "20000"});
        QVERIFY(target.waitForStarted());
        const auto state = QString("/proc/%1/stat").arg(target.processId());
        QVERIFY(QTest::qWaitFor([&] {
            QFile file(state);
            return file.open(QIODevice::ReadOnly) && file.readAll().contains(") D ");
        }));
        const QTemporaryDir folder;
        command.start(HIGHWATER_CLI,
                      {"picture", QString::number(target.processId()), "-o", folder.filePath("first.etl")});
        QVERIFY(command.waitForStarted());
        QVERIFY(QTest::qWaitFor(
            [&] { return !QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); }));
        isOfTarget ? target.kill() : command.terminate();
        QVERIFY(command.waitForFinished(30'000));
        const auto messages = command.readAllStandardError();
        QVERIFY2(messages.contains("No picture of memory was taken because ") && messages.contains(sentence),
                 messages.constData());
        QCOMPARE(command.exitCode(), 2);
        target.kill();
        target.waitForFinished();
    }
    void wrongUsageIsExplained() {
        QVERIFY(has(runCli({"picture"}).messages, "PID is required."));
        const auto zero = runCli({"picture", "1", "--on-growth", "0"});
        QCOMPARE(zero.exitCode, 1);
        QVERIFY2(has(zero.messages, "--on-growth must be more than 0 bytes."), zero.messages.c_str());
    }
};
HIGHWATER_TEST(PictureCommandTest);
#include "picture_command_linux_test.moc"
