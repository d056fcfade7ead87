#include "core/source/contract/running_processes.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// highwater-cli while it records memory_test_app.
class RunningRecorder {
  public:
    explicit RunningRecorder(const std::string& file, const QStringList& options = {}, double seconds = 200) {
        process_.setChildProcessModifier([] {
            std::signal(SIGXFSZ, SIG_IGN); // write() reports it instead
            std::signal(SIGHUP, SIG_DFL);  // regardless of the handlers that the tests inherited
        });
        const auto arguments =
            QStringList{"record", "-o", QString::fromStdString(file)} + options +
            QStringList{"--", HIGHWATER_MEMORY_TEST_APP, "--seconds", QString::number(seconds), "--speed", "10"};
        process_.start(HIGHWATER_CLI, arguments);
    }
    ~RunningRecorder() {
        if (const auto target = targetPid()) ::kill(static_cast<int>(target), SIGKILL);
        process_.kill();
        process_.waitForFinished();
    }
    [[nodiscard]] QProcess& process() { return process_; }
    /// Process id of the recorded program; 0 before it runs.
    std::uint32_t targetPid() {
        if (target_ != 0) return target_;
        for (const auto& running : source::runningProcesses()) {
            if (running.parentPid == process_.processId() && running.name == "memory_test_app") target_ = running.pid;
        }
        return target_;
    }
    /// From now on none of its files may grow: to the recorder this is a full disk.
    void limitFiles(std::uint64_t bytes) {
        const rlimit limit{bytes, bytes};
        ::prlimit(static_cast<pid_t>(process_.processId()), RLIMIT_FSIZE, &limit, nullptr);
    }
    [[nodiscard]] std::string messages() { return process_.readAllStandardError().toStdString(); }

  private:
    QProcess process_;
    std::uint32_t target_ = 0;
};

bool isAnyCopyAlive() {
    const auto processes = source::runningProcesses();
    return std::ranges::any_of(processes, [](const auto& process) { return process.name == "highwater-copy"; });
}

bool isAlive(std::uint32_t pid) {
    const auto processes = source::runningProcesses();
    return std::ranges::any_of(
        processes, [pid](const auto& process) { return process.pid == pid && process.name == "memory_test_app"; });
}

qint64 sizeOf(const std::string& file) { return QFileInfo(QString::fromStdString(file)).size(); }

int strictExitCode(const std::string& file) {
    return runCli({"table", file, "--table", "heap", "--by", "Process", "--no-symbols", "--strict"}).exitCode;
}

} // namespace

/// Recordings that end unexpectedly: everything recorded until then is saved, and the program is unharmed.
class RecordEndsTest : public QObject {
    Q_OBJECT
  private slots:
    void aRecorderThatIsKilledLeavesAFileAndTheProgram() {
        const auto file = temporaryPath("killed.etl");
        RunningRecorder recorder(file, {"--plain"});
        QTRY_VERIFY_WITH_TIMEOUT(sizeOf(file + ".recording") > 3 * 65536, 20'000);
        const auto target = recorder.targetPid();
        QVERIFY(target != 0);
        recorder.process().kill();
        QVERIFY(recorder.process().waitForFinished());
        QTest::qWait(300);
        QVERIFY(isAlive(target));
        const auto info = runCli({"info", file + ".recording", "--json"}).json();
        QVERIFY(info["heap_events"].get<int>() > 10);
        QCOMPARE(info["stacks_unresolved"], Json(0));
        QCOMPARE(info["events_lost"], Json(0));
        const auto table =
            runCli({"table", file + ".recording", "--table", "heap", "--by", "Stack", "--format", "json"});
        QVERIFY2(table.answers.find("InnerLoopOperation") != std::string::npos, table.answers.c_str());
        QVERIFY2(table.messages.find("was not ended properly") != std::string::npos, table.messages.c_str());
        QCOMPARE(strictExitCode(file + ".recording"), 3);
    }
    /// A regular termination by an init system, a container or a closed terminal saves, as Ctrl+C does.
    void aRecorderThatIsAskedToEndSavesItsFile() {
        for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
            const auto file = temporaryPath("asked-" + std::to_string(signal) + ".etl");
            RunningRecorder recorder(file, {"--plain"});
            QTRY_VERIFY_WITH_TIMEOUT(sizeOf(file + ".recording") > 3 * 65536, 20'000);
            QCOMPARE(::kill(static_cast<pid_t>(recorder.process().processId()), signal), 0);
            QVERIFY(recorder.process().waitForFinished());
            QCOMPARE(recorder.process().exitStatus(), QProcess::NormalExit);
            QCOMPARE(recorder.process().exitCode(), 0);
            QVERIFY(sizeOf(file) > 0);
            QVERIFY(!std::filesystem::exists(file + ".recording"));
            QCOMPARE(strictExitCode(file), 0);
        }
    }
    void snapshotsByWprAreRefusedHere() {
        const auto file = temporaryPath("snapshots.etl");
        const auto refused = runCli({"record", "-o", file, "--snapshots-by-wpr", "0", "--pid", "1"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(has(refused.messages, "Heap snapshots with wpr are available only on Windows"),
                 refused.messages.c_str());
        const auto program = runCli({"record", "-o", file, "--snapshots-by-wpr", "0", "--", "/bin/true"});
        QCOMPARE(program.exitCode, 1);
        QVERIFY2(has(program.messages, "Specify them with --pid"), program.messages.c_str());
        const auto mixed = runCli({"record", "-o", file, "--snapshots-by-wpr", "5", "--pid", "1", "--heap"});
        QCOMPARE(mixed.exitCode, 1);
        QVERIFY2(has(mixed.messages, "can be combined only with"), mixed.messages.c_str());
        QVERIFY(!std::filesystem::exists(file));
    }
    void aProgramThatEndsByItselfHasAPictureIfAsked() {
        const auto file = temporaryPath("pictured-exit.etl");
        const auto ended = runCliProgram({"record", "-o", file, "--picture-at-exit", "--", "/bin/true"});
        QVERIFY2(ended.exitCode == 0, ended.messages.c_str());
        QCOMPARE(runCli({"info", file, "--json"}).json()["pictures"].size(), std::size_t{1});
        const auto killed = runCliProgram(
            {"record", "-o", file, "--picture-at-exit", "--ignore-exit-code", "--", "/bin/sh", "-c", "kill -9 $$"});
        QVERIFY2(
            has(killed.messages, "was taken at its end because it did not end by exit() or by returning from main."),
            killed.messages.c_str());
        const auto attached = runCli({"record", "-o", file, "--picture-at-exit", "--pid", "1"});
        QCOMPARE(attached.exitCode, 1);
        QVERIFY2(has(attached.messages, "only possible for a program that this command starts"),
                 attached.messages.c_str());
    }
    /// Before, during and after the picture.
    void aRecorderThatIsKilledDuringAPictureAtTheEndLetsTheProgramEnd() {
        for (int round = 0; round < 10; ++round) {
            RunningRecorder recorder(temporaryPath("killed-exit.etl"), {"--picture-at-exit"}, 1);
            QTRY_VERIFY_WITH_TIMEOUT(recorder.targetPid() != 0, 20'000);
            QTest::qSleep(60 + round * 25);
            recorder.process().kill();
            QVERIFY(recorder.process().waitForFinished());
            QTRY_VERIFY_WITH_TIMEOUT(!isAlive(recorder.targetPid()), 5'000);
        }
        QTRY_VERIFY(!isAnyCopyAlive());
    }
    void filesOfAKilledRecorderAreNotOverwritten() {
        const auto file = temporaryPath("again.etl");
        std::ofstream(file + ".recording") << "unsaved";
        std::ofstream(file + ".2.recording") << "unsaved, too";
        const auto recorded = runCliProgram({"record", "-o", file, "--", "/bin/true"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY2(recorded.messages.find(".recording contains an unsaved recording and is kept.") != std::string::npos,
                 recorded.messages.c_str());
        QVERIFY2(recorded.messages.find("is written to " + file + ".3.recording ") != std::string::npos,
                 recorded.messages.c_str());
        QCOMPARE(sizeOf(file + ".recording"), 7);
        QCOMPARE(sizeOf(file + ".2.recording"), 12);
        QVERIFY(!std::filesystem::exists(file + ".3.recording"));
        QVERIFY(sizeOf(file) > 0);
        // Other users must not read the command lines.
        QCOMPARE(std::filesystem::status(file).permissions(),
                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    void aPlaceWhereNothingCanBeWrittenIsRefusedBeforeAnythingRuns() {
        const auto proof = temporaryPath("not run");
        for (const auto* output : {"/nonexistent/folder/a.etl", "/proc/a.etl", "/dev/null/a.etl"}) {
            const auto refused = runCliProgram({"record", "-o", output, "--", "/bin/touch", proof});
            QCOMPARE(refused.exitCode, 2);
            QVERIFY2(refused.messages.find(std::string("Cannot create ") + output) != std::string::npos,
                     refused.messages.c_str());
            QVERIFY2(refused.messages.find("..") == std::string::npos, refused.messages.c_str());
            QVERIFY(!std::filesystem::exists(proof));
        }
    }
    void aFolderIsRefusedBeforeAnythingRuns() {
        const auto proof = temporaryPath("not run either");
        const auto refused = runCliProgram({"record", "-o", "/dev", "--", "/bin/touch", proof});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(has(refused.messages, "it is a folder"), refused.messages.c_str());
        QVERIFY(!std::filesystem::exists(proof));
    }
    void aProgramThatIsKilledEndsItsRecording() {
        const auto file = temporaryPath("target-killed.etl");
        RunningRecorder recorder(file);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.targetPid() != 0, 20'000);
        QTest::qWait(500);
        ::kill(static_cast<int>(recorder.targetPid()), SIGKILL);
        QVERIFY(recorder.process().waitForFinished(20'000));
        const auto messages = recorder.messages();
        QCOMPARE(recorder.process().exitCode(), 128 + SIGKILL);
        QVERIFY2(messages.find("terminated by signal 9") != std::string::npos, messages.c_str());
        QCOMPARE(QString::fromStdString(messages).count("terminated by signal"), 1); // reported once
        QVERIFY2(messages.find("bounds") == std::string::npos, messages.c_str());
        const auto info = runCli({"info", file, "--json"}).json();
        QVERIFY(info["heap_events"].get<int>() > 10);
        QCOMPARE(info["stacks_unresolved"], Json(0));
        // The same is reported when the file is opened.
        const auto told = runCli({"info", file}).messages;
        QVERIFY2(told.find("terminated by signal 9") != std::string::npos, told.c_str());
    }
    void aProgramThatRestrictsItselfSaysSoInTheFile() {
        const auto file = temporaryPath("restricted.etl");
        const auto recorded =
            runCliProgram({"record", "-o", file, "--", HIGHWATER_AGENT_TARGETS "/agent_target", "filtered"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY2(recorded.messages.find("restricted its own system calls") != std::string::npos,
                 recorded.messages.c_str());
        const auto table = runCli({"table", file, "--table", "heap", "--by", "Process", "--strict"});
        QVERIFY2(table.messages.find("restricted its own system calls") != std::string::npos, table.messages.c_str());
        QCOMPARE(table.exitCode, 3);
    }
    void passesOnTheExitCodeOfTheProgram_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("success") << "exit 0" << 0 << "";
        QTest::newRow("failure") << "exit 3" << 3 << "sh ended with exit code 3.\n";
        QTest::newRow("as our own") << "exit 2" << 2 << "sh ended with exit code 2.\n";
        QTest::newRow("largest") << "exit 255" << 255 << "sh ended with exit code 255.\n";
        QTest::newRow("signal")
            << "kill -SEGV $$" << 128 + SIGSEGV
            << "The program was terminated by signal 11 (Segmentation fault). Everything before that was recorded.\n";
        QTest::newRow("goes on as another one") << "exec /bin/sh -c 'exit 7'" << 7 << "sh ended with exit code 7.\n";
    }
    void passesOnTheExitCodeOfTheProgram() {
        QFETCH(QString, script);
        QFETCH(int, exitCode);
        QFETCH(QString, sentence);
        const auto file = temporaryPath("exit.etl");
        const auto record = [&](std::vector<std::string> options) {
            std::filesystem::remove(file);
            std::vector<std::string> arguments{"record", "-o", file};
            arguments.insert(arguments.end(), options.begin(), options.end());
            arguments.insert(arguments.end(), {"--", "/bin/sh", "-c", script.toStdString()});
            return runCliProgram(arguments);
        };
        for (const bool ignores : {false, true}) {
            const auto recorded =
                record(ignores ? std::vector<std::string>{"--ignore-exit-code"} : std::vector<std::string>{});
            QCOMPARE(recorded.exitCode, ignores ? 0 : exitCode);
            QVERIFY2(has(recorded.messages, "Recorded "), recorded.messages.c_str());
            QVERIFY2(has(recorded.messages, sentence.toStdString()), recorded.messages.c_str());
            QCOMPARE(has(recorded.messages, "exit code") || has(recorded.messages, "terminated by"), exitCode != 0);
            const auto info = runCli({"info", file, "--json", "--strict"}); // whole, whatever became of the program
            QCOMPARE(info.exitCode, 0);
            QVERIFY(info.json()["heap_events"].get<int>() > 0);
        }
    }
    void aProgramThatRunsOnHasNoExitCodeYet() {
        const auto file = temporaryPath("runs-on.etl");
        const auto recorded =
            runCliProgram({"record", "-o", file, "--duration", "0.3", "--", "/bin/sh", "-c", "sleep 1; exit 3"});
        QCOMPARE(recorded.exitCode, 0);
        QVERIFY2(!has(recorded.messages, "exit code"), recorded.messages.c_str());
    }
    /// Only highwater-cli itself may write lines that look like messages, or reach the terminal.
    void theNameOfAProgramCannotForgeLines() {
        const auto program = temporaryPath("a\nhighwater-cli: forged \x1B[2J");
        std::filesystem::copy_file("/bin/false", program);
        const auto file = temporaryPath("forged\n.etl");
        const auto recorded = runCliProgram({"record", "-o", file, "--", program});
        QVERIFY2(recorded.exitCode == 1, recorded.messages.c_str());
        QVERIFY2(has(recorded.messages, "a\xEF\xBF\xBDhighwater-cli: forged \xEF\xBF\xBD[2J ended with"),
                 recorded.messages.c_str());
        for (const auto& messages : {recorded.messages, runCli({"info", file}).messages}) {
            QVERIFY2(!has(messages, "\x1B"), messages.c_str());
            QVERIFY2(!has(messages, "\nhighwater-cli: forged"), messages.c_str());
        }
    }
    void theOldFileStaysUntilTheNewOneIsComplete() {
        const auto file = temporaryPath("before.etl");
        const auto write = [&] { std::ofstream(file) << "recorded before"; };
        write();
        const auto unknown = runCliProgram({"record", "-o", file, "--", "/nonexistent/program"});
        QCOMPARE(unknown.exitCode, 2);
        QCOMPARE(sizeOf(file), 15);
        RunningRecorder recorder(file, {"--plain"}, 10);
        QTRY_VERIFY_WITH_TIMEOUT(sizeOf(file + ".recording") > 0, 20'000);
        QCOMPARE(sizeOf(file), 15);
        QVERIFY(recorder.process().waitForFinished(60'000));
        QCOMPARE(recorder.process().exitCode(), 0);
        QVERIFY(runCli({"info", file, "--json"}).json()["heap_events"].get<int>() > 0);
        QVERIFY(!std::filesystem::exists(file + ".recording"));
    }
    /// The header of the file counts its streams.
    void reportsTheProcessorsOfTheComputer() {
        for (const auto& options : {std::vector<std::string>{}, {"--keep-last", "0.2s"}}) {
            const auto file = temporaryPath("processors.etl");
            std::vector<std::string> arguments{"record", "-o", file};
            arguments.insert(arguments.end(), options.begin(), options.end());
            arguments.insert(arguments.end(), {"--", HIGHWATER_MEMORY_TEST_APP, "--seconds", "10", "--speed", "10"});
            QCOMPARE(runCliProgram(arguments).exitCode, 0);
            const auto info = runCli({"info", file, "--json", "--processes", "--modules"}).json();
            QCOMPARE(info["processors"], Json(::sysconf(_SC_NPROCESSORS_CONF)));
            QVERIFY(info["streams"] > info["processors"]);
            QCOMPARE(info["recorder"], Json("Highwater (Linux)"));
            QCOMPARE(info["kept_from_s"].is_null(), options.empty());
            QCOMPARE(info["circular"], Json(false));
            QCOMPARE(info["computer"], Json(nullptr)); // private
            const auto& process = info["processes"][0];
            QVERIFY(has(process["command_line"].get<std::string>(), "--seconds 10"));
            QVERIFY(!process["images"].empty());
            const auto& modules = info["modules"];
            const auto own =
                std::ranges::find_if(modules, [](const auto& m) { return m["name"] == "memory_test_app"; });
            QVERIFY(own != modules.end());
            QVERIFY((*own)["build_id"].is_string() && (*own)["pdb"].is_null());
        }
    }
    void aFullDiskKeepsWrittenEvents() {
        constexpr double kSeconds = 30;
        const auto whole = temporaryPath("whole-disk.etl");
        RunningRecorder first(whole, {"--plain"}, kSeconds);
        QVERIFY(first.process().waitForFinished(60'000));
        QCOMPARE(first.process().exitCode(), 0);
        const auto file = temporaryPath("full-disk.etl");
        // A file grows by whole buffers, one for each flush: their number differs between two recordings.
        const auto room = static_cast<std::uint64_t>(sizeOf(whole)) * 6 / 10;
        RunningRecorder recorder(file, {"--plain"}, kSeconds);
        QTRY_VERIFY(sizeOf(file + ".recording") > 0);
        recorder.limitFiles(room);
        QVERIFY(recorder.process().waitForFinished(60'000));
        const auto messages = recorder.messages();
        QVERIFY(recorder.process().exitCode() != 0);
        QVERIFY2(messages.find("The file ends before the recording does") != std::string::npos, messages.c_str());
        QVERIFY(sizeOf(file) > 0 && static_cast<std::uint64_t>(sizeOf(file)) <= room);
        const auto part = runCli({"info", file, "--json"}).json();
        const auto all = runCli({"info", whole, "--json"}).json();
        QVERIFY(part["heap_events"].get<int>() > all["heap_events"].get<int>() / 3);
        QCOMPARE(part["stacks_unresolved"], Json(0));
        const auto said = runCli({"info", file}).messages;
        QVERIFY2(said.find("The file was cut off at ") != std::string::npos, said.c_str());
        QVERIFY(part["events_lost"].get<int>() > 0);
        QCOMPARE(strictExitCode(file), 3);
    }
    void specialFilesAreRefusedBeforeTheStart() {
        const auto pipe = temporaryPath("pipe"), proof = temporaryPath("proof");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const auto refused = runCliProgram({"record", "-o", pipe, "--", "/bin/touch", proof});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.messages.find("it is a pipe, not a regular file") != std::string::npos,
                 refused.messages.c_str());
        QVERIFY(std::filesystem::is_fifo(pipe));
        QVERIFY(!std::filesystem::exists(proof));
        QVERIFY(!std::filesystem::exists(pipe + ".recording"));
    }
    void aLinkStaysOneAndLeadsToTheRecording() {
        const auto real = temporaryPath("real.etl"), link = temporaryPath("link.etl");
        std::filesystem::create_symlink("real.etl", link);
        const auto recorded = runCliProgram({"record", "-o", link, "--", "/bin/true"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY(std::filesystem::is_symlink(link));
        QVERIFY(!std::filesystem::is_symlink(real));
        QCOMPARE(runCli({"info", real}).exitCode, 0);
    }
    void aShellThatExecutesIsOneProcessWithItsLastName() {
        const auto file = temporaryPath("exec.etl");
        const auto recorded = runCliProgram({"record", "--children", "-o", file, "--", "/bin/bash", "-c",
                                             "/bin/echo 1; (/bin/echo 2); exec /bin/bash -c 'exec /bin/echo 3'"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        const auto info = runCli({"info", file, "--json"}).json();
        for (const auto& process : info["processes"]) {
            if (process["pid"] == 0) continue;
            QCOMPARE(process["name"], Json("echo"));
            QCOMPARE(process["earlier_names"], Json({"bash"}));
        }
        const auto table = runCli(
            {"table", file, "--table", "heap", "--by", "Process,FreeType", "--columns", "Size", "--format", "json"});
        const auto rows = table.json()["rows"];
        QVERIFY2(rows.size() >= 2, table.answers.c_str());
        for (const auto& row : rows)
            QVERIFY2(row["key"].get<std::string>().ends_with(")"), table.answers.c_str()); // "echo (1)", no " #2"
        QVERIFY2(has(table.answers, "\"Exec\""), table.answers.c_str());
    }
    /// Attaching may take as long as the recording itself.
    void theDurationBeginsWithTheRecording() {
        QProcess program;
        program.start(HIGHWATER_AGENT_TARGETS "/agent_target", {"blocked", "1500"});
        QVERIFY(program.waitForStarted());
        QTest::qWait(200); // it can no longer be stopped
        const auto file = temporaryPath("from-the-begin.etl");
        const auto recorded =
            runCliProgram({"record", "-o", file, "--pid", std::to_string(program.processId()), "--duration", "0.7"});
        program.kill();
        program.waitForFinished();
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        const auto info = runCli({"info", file, "--json"}).json();
        QVERIFY2(info["heap_events"].get<int>() > 30, info.dump().c_str()); // one every 10 ms
    }
    void aRunningProgramIsRecordedByItsNumber() {
        QProcess program;
        program.start(HIGHWATER_MEMORY_TEST_APP, {"--seconds", "100", "--speed", "10"});
        QVERIFY(program.waitForStarted());
        QTest::qWait(300);
        const auto file = temporaryPath("attached.etl");
        const auto pid = std::to_string(program.processId());
        const auto recorded = runCliProgram({"record", "-o", file, "--pid", pid, "--duration", "2"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY2(recorded.messages.find("already running") != std::string::npos, recorded.messages.c_str());
        QVERIFY2(recorded.messages.find("bounds") == std::string::npos, recorded.messages.c_str());
        QVERIFY(isAlive(static_cast<std::uint32_t>(program.processId())));
        // Its steady 10 MB are older than the recording.
        QVERIFY2(recorded.messages.find("was not recorded because it was allocated before") != std::string::npos,
                 recorded.messages.c_str());
        const auto told = runCli({"info", file}).messages;
        QVERIFY2(told.find("was not recorded because it was allocated before") != std::string::npos, told.c_str());
        QVERIFY2(told.find("already running") != std::string::npos, told.c_str());
        const auto table =
            runCli({"table", file, "--table", "heap", "--by", "Stack", "--format", "json", "--symbols", "/nowhere"});
        QVERIFY2(table.answers.find("memory_test_app!InnerLoopOperation") != std::string::npos, table.answers.c_str());
        QTest::qWait(300);
        QCOMPARE(program.state(), QProcess::Running);
        program.kill();
        program.waitForFinished();
        const auto gone = runCliProgram({"record", "-o", temporaryPath("gone.etl"), "--pid", pid});
        QCOMPARE(gone.exitCode, 2);
        QVERIFY2(gone.messages.find("does not exist") != std::string::npos, gone.messages.c_str());
    }
};
HIGHWATER_TEST(RecordEndsTest);
#include "record_ends_linux_test.moc"
