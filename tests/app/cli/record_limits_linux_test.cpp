#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QTest>

#include <filesystem>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// highwater-cli in a shell with this limit.
Answer withLimit(const std::string& limit, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-c", "ulimit " + limit + " && exec \"$0\" \"$@\"", HIGHWATER_CLI});
    return runProgram("/bin/bash", arguments);
}
Answer recordWithLimit(const std::string& limit, const std::string& file, const std::string& program,
                       const std::string& argument) {
    return withLimit(limit, {"record", "-o", file, "--plain", "--", program, argument});
}

std::string agentTarget(const char* name) { return std::string(HIGHWATER_AGENT_TARGETS "/") + name; }

int strictCodeOf(const std::string& file) { return runCli({"info", file, "--strict"}).exitCode; }

} // namespace

/// Limits of the recorder and of the program, and programs with allocators of their own: missing data is reported with
/// its reason.
class RecordLimitsTest : public QObject {
    Q_OBJECT
  private slots:
    void aFileThatMayNotGrowIsAnErrorAndNotASignal() {
        const auto file = temporaryPath("limited.etl");
        // 4 MB are enough for the shared memory, but not for the recording.
        const auto recorded = recordWithLimit("-f 4000", file, agentTarget("limited_program"), "plain");
        QVERIFY2(recorded.exitCode == 2, recorded.messages.c_str());
        QVERIFY2(has(recorded.messages, "The file ends before the recording does"), recorded.messages.c_str());
        QVERIFY2(has(recorded.messages, "ulimit -f"), recorded.messages.c_str());
        QVERIFY2(has(recorded.messages, "Highwater may write files of at most 4,096,000 bytes"),
                 recorded.messages.c_str());
        const auto info = runCli({"info", file, "--json"}).json();
        QVERIFY(info["heap_events"].get<int>() > 1000);
        QCOMPARE(strictCodeOf(file), 3);
    }
    void aLimitThatLeavesNoRoomForTheProgramIsRefused() {
        const auto file = temporaryPath("no-room.etl"), proof = temporaryPath("started");
        const auto recorded = recordWithLimit("-f 1000", file, "/bin/touch", proof);
        QCOMPARE(recorded.exitCode, 2);
        QVERIFY2(has(recorded.messages, "is limited to 1,024,000 bytes for a file (ulimit -f)"),
                 recorded.messages.c_str());
        QVERIFY(!std::filesystem::exists(proof));
    }
    void theProgramDiesByTheLimitAsItWouldAlone() {
        const auto file = temporaryPath("program-limited.etl"), big = temporaryPath("big");
        const auto recorded =
            runCliProgram({"record", "-o", file, "--", "/bin/bash", "-c",
                           "ulimit -f 1; exec dd if=/dev/zero of=\"$0\" bs=4096 count=4 2>/dev/null", big});
        QVERIFY2(has(recorded.messages, "terminated by signal 25"), recorded.messages.c_str());
    }
    void aProcessorLimitEndsTheRecordingAndKeepsIt() {
        const auto file = temporaryPath("processor.etl");
        const auto recorded =
            runProgram("/bin/bash", {"-c", "ulimit -S -t 1 && exec \"$0\" \"$@\"", HIGHWATER_CLI, "record", "-o", file,
                                     "--", "/bin/bash", "-c", "ulimit -S -t unlimited; exec \"$0\" many 12000000",
                                     agentTarget("agent_target")});
        QVERIFY2(has(recorded.messages, "ulimit -t"), recorded.messages.c_str());
        QVERIFY(runCli({"info", file, "--json"}).json()["heap_events"].get<int>() > 1000);
    }
    void aRecorderThatMayMapLittleRecords() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("The sanitizer itself maps more.");
#endif
        const auto file = temporaryPath("addresses.etl");
        const auto recorded = recordWithLimit("-v 600000", file, agentTarget("limited_program"), "plain");
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY(runCli({"info", file, "--json"}).json()["heap_events"].get<int>() > 100'000);
    }
    void smallStacksServe_data() {
        QTest::addColumn<QString>("kilobytes");
        for (const auto* kilobytes : {"64", "128", "256", "1024"})
            QTest::newRow(kilobytes) << kilobytes;
    }
    // Stacks of the recorded program, of the recorder, and of the program that opens the recording.
    void smallStacksServe() {
        QFETCH(const QString, kilobytes);
        const auto limit = "-s " + kilobytes.toStdString();
        const auto file = temporaryPath("stacks.etl");
        const auto recorded = recordWithLimit(limit, file, agentTarget("limited_program"), "plain");
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        for (const std::vector<std::string>& question : {std::vector<std::string>{"info", file},
                                                         {"table", file, "--table", "heap", "--by", "Process"},
                                                         {"leaks", file}}) {
            const auto answer = withLimit(limit, question);
            QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
            QCOMPARE(answer.answers, runCli(question).answers);
        }
    }
    void anAllocatorThatCannotBeSeenIsNamed_data() {
        QTest::addColumn<QString>("program");
        QTest::newRow("a malloc of the program's own") << "own_malloc";
        QTest::newRow("a second one") << "hidden_malloc";
    }
    void anAllocatorThatCannotBeSeenIsNamed() {
        QFETCH(const QString, program);
        const auto file = temporaryPath("own.etl");
        const auto path = agentTarget(program.toUtf8().constData());
        const auto recorded = runCliProgram({"record", "-o", file, "--", path});
        QCOMPARE(recorded.exitCode, 0);
        const auto sentence = "This program has its own malloc (in " + program.toStdString() + ")";
        QVERIFY2(has(recorded.messages, sentence), recorded.messages.c_str());
        const auto info = runCli({"info", file});
        QVERIFY2(has(info.answers + info.messages, sentence), info.answers.c_str());
        QCOMPARE(strictCodeOf(file), 3);
    }
    void onesThatAreSeenAreNotNamed_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("library");
        QTest::newRow("the C library's") << "cxx_blocks"
                                         << "";
        QTest::newRow("one that passes on") << "own_malloc_of_libc"
                                            << "";
        for (const auto* library : {"libjemalloc.so.2", "libtcmalloc_minimal.so.4", "libmimalloc.so.2"})
            QTest::newRow(library) << "cxx_blocks" << library;
    }
    void onesThatAreSeenAreNotNamed() {
        QFETCH(const QString, program);
        QFETCH(const QString, library);
        const auto file = temporaryPath("seen.etl");
        const auto preload = library.isEmpty() ? std::string() : "/usr/lib/x86_64-linux-gnu/" + library.toStdString();
        if (!library.isEmpty() && !std::filesystem::exists(preload)) QSKIP("this allocator is not installed");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        if (!library.isEmpty()) QSKIP("The sanitizer has to be the first library of the recorder.");
#endif
        const auto path = agentTarget(program.toUtf8().constData());
        const auto recorded =
            runProgram("/usr/bin/env", {"LD_PRELOAD=" + preload, HIGHWATER_CLI, "record", "-o", file, "--", path});
        QVERIFY2(!has(recorded.messages, "own malloc"), recorded.messages.c_str());
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QCOMPARE(strictCodeOf(file), 0);
    }
};
HIGHWATER_TEST(RecordLimitsTest);
#include "record_limits_linux_test.moc"
