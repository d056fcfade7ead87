#include "core/source/records/machine_id.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <filesystem>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Ten seconds of Exercise 2 in one second.
const std::vector<std::string> kProgram{HIGHWATER_MEMORY_TEST_APP, "--seconds", "10", "--speed", "10"};

Answer record(const std::string& output, std::vector<std::string> options, const std::vector<std::string>& program) {
    std::vector<std::string> arguments{"record", "-o", output};
    arguments.insert(arguments.end(), options.begin(), options.end());
    if (!program.empty()) arguments.emplace_back("--");
    arguments.insert(arguments.end(), program.begin(), program.end());
    return runCliProgram(arguments);
}

/// Finds a row by its key at any depth.
const Json* find(const Json& rows, const std::string& key) {
    for (const auto& row : rows) {
        if (row["key"] == key) return &row;
        if (row.contains("rows")) {
            if (const auto* found = find(row["rows"], key)) return found;
        }
    }
    return nullptr;
}

} // namespace

/// Recording on this system, from the program to the names of its functions.
class RecordCommandTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
#ifndef HIGHWATER_CAN_RECORD
        QSKIP("there is no recorder for this system");
#endif
    }
    void keepsTheOldestLeakOfADiscardedPart() {
        const auto file = temporaryPath("newest.etl");
        const auto recorded = record(file, {"--keep-last", "0.2s"}, kProgram);
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY2(recorded.messages.find("were discarded") != std::string::npos, recorded.messages.c_str());
        const auto heap =
            runCli({"table", file, "--table", "heap", "--by", "Stack", "--format", "json", "--symbols", "/nowhere"});
        QVERIFY2(heap.exitCode == 0, heap.messages.c_str());
        const auto answer = heap.json();
        QVERIFY(answer["interval"]["start"].get<double>() > 0);
        const auto* leak = find(answer["rows"], "memory_test_app!InnerLoopOperation");
        QVERIFY2(leak != nullptr, heap.answers.c_str());
        QCOMPARE((*leak)["values"]["Count"], Json(319));
        QVERIFY((*leak)["values"]["Impacting Size"] < Json(319 * 40)); // the oldest were there before
        QCOMPARE((*leak)["values"]["Size"], Json(319 * 40));
    }
    void reportsAReplacedFile() {
        const auto file = temporaryPath("twice.etl");
        const auto first = record(file, {"--duration", "0.2"}, kProgram);
        QVERIFY2(!has(first.messages, "was replaced"), first.messages.c_str());
        const auto second = record(file, {"--duration", "0.2"}, kProgram);
        QVERIFY2(has(second.messages, "The previous " + file + " was replaced."), second.messages.c_str());
    }
    void namesTheThreads_data() {
        QTest::addColumn<bool>("keepsTheNewest");
        QTest::newRow("all") << false;
        QTest::newRow("the newest part") << true;
    }
    void namesTheThreads() {
        QFETCH(const bool, keepsTheNewest);
        const auto file = temporaryPath("threads.etl");
        const auto options =
            keepsTheNewest ? std::vector<std::string>{"--keep-last", "0.2s"} : std::vector<std::string>();
        const auto recorded = record(file, options, {HIGHWATER_AGENT_TARGETS "/agent_target", "named", "1500"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        const auto info = runCli({"info", file, "--json"}).json();
        QCOMPARE(info["kept_from_s"].is_null(), !keepsTheNewest);
        const auto heap = runCli({"table", file, "--table", "heap", "--by", "Thread Name", "--format", "json"});
        QVERIFY2(heap.exitCode == 0, heap.messages.c_str());
        const auto answer = heap.json();
        for (const auto* name : {"named 0", "named 49", "main", "by itself", "by another"})
            QVERIFY2(find(answer["rows"], name) != nullptr, heap.answers.c_str());
        QVERIFY2(find(answer["rows"], "(no name)") == nullptr, heap.answers.c_str());
        const auto found = runCli({"table", file, "--table", "heap", "--by", "Thread", "--columns", "Thread Name,Count",
                                   "--filter", "ThreadName:itself", "--format", "csv"});
        QVERIFY2(found.answers.find("by itself") != std::string::npos, found.answers.c_str());
        QVERIFY2(found.answers.find("by another") == std::string::npos, found.answers.c_str());
    }
    void listsWhatCanBeKept() {
        for (const auto* amount : {"5", "min", "-5min", "0MB", "5 parsecs", "1e30h"}) {
            const auto refused = record(temporaryPath("none.etl"), {"--keep-last", amount}, kProgram);
            QCOMPARE(refused.exitCode, 1);
            QVERIFY2(refused.messages.find("500MB") != std::string::npos, refused.messages.c_str());
        }
    }
    void namesTheOwnersOfMemory() {
        const auto file = temporaryPath("recorded.etl");
        const auto recorded = record(file, {}, kProgram);
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        QVERIFY(recorded.messages.find("heap and") != std::string::npos);
        const auto heap =
            runCli({"table", file, "--table", "heap", "--by", "Stack", "--format", "json", "--symbols", "/nowhere"});
        QVERIFY2(heap.exitCode == 0, heap.messages.c_str());
        const auto heapRows = heap.json();
        const auto* leak = find(heapRows["rows"], "memory_test_app!InnerLoopOperation");
        QVERIFY2(leak != nullptr, heap.answers.c_str());
        QCOMPARE((*leak)["values"]["Count"], Json(319));
        QCOMPARE((*leak)["values"]["Impacting Size"], Json(319 * 40));
        const auto commits = runCli(
            {"table", file, "--table", "virtualalloc", "--by", "Stack", "--format", "json", "--symbols", "/nowhere"});
        const auto commitRows = commits.json();
        const auto* spikes = find(commitRows["rows"], "memory_test_app!ManipulateTemporaryBuffer");
        QVERIFY2(spikes != nullptr, commits.answers.c_str());
        QCOMPARE((*spikes)["values"]["Count"], Json(10));
        QCOMPARE((*spikes)["values"]["Size"], Json(10 * 10485760));
        QCOMPARE((*spikes)["values"]["Impacting Size"], Json(0));
        QVERIFY(find(commitRows["rows"], "memory_test_app!Operation1") != nullptr);
        QVERIFY(find(commitRows["rows"], "memory_test_app!main") != nullptr);
    }
    void looksAtItsPathsOnlyWhereItWasRecorded() {
        const auto file = temporaryPath("elsewhere.etl");
        QCOMPARE(record(file, {"--plain"}, kProgram).exitCode, 0);
        const auto ask = [&](std::vector<std::string> options) {
            std::vector<std::string> arguments{"table", file,       "--table", "heap",      "--by",
                                               "Stack", "--format", "json",    "--symbols", "/nowhere"};
            arguments.insert(arguments.end(), options.begin(), options.end());
            return runCli(arguments);
        };
        constexpr const char* kFunction = "memory_test_app!InnerLoopOperation";
        QVERIFY(find(ask({}).json()["rows"], kFunction) != nullptr);
        // As if recorded on another computer.
        QFile trace(QString::fromStdString(file));
        QVERIFY(trace.open(QIODevice::ReadWrite));
        auto bytes = trace.readAll();
        const QByteArray machine(reinterpret_cast<const char*>(&source::machineId()), sizeof(Guid));
        QCOMPARE(bytes.count(machine), 1);
        const auto at = bytes.indexOf(machine);
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        QVERIFY(trace.seek(0) && trace.write(bytes) == bytes.size());
        trace.close();
        const auto foreign = ask({});
        QVERIFY(find(foreign.json()["rows"], kFunction) == nullptr);
        QVERIFY2(foreign.messages.find("Use --trust-image-paths to search there.") != std::string::npos,
                 foreign.messages.c_str());
        QVERIFY(find(ask({"--trust-image-paths"}).json()["rows"], kFunction) != nullptr);
    }
    void losesNothing() {
        const auto file = temporaryPath("whole.etl");
        QCOMPARE(record(file, {"--plain"}, kProgram).exitCode, 0);
        const auto info = runCli({"info", file, "--json"}).json();
        QCOMPARE(info["events_lost"], Json(0));
        QCOMPARE(info["stacks_unresolved"], Json(0));
        QCOMPARE(info["buffers_compressed"], Json(0));
        QVERIFY(info["virtual_alloc_events"].get<int>() >= 12);
        QCOMPARE(info["processes"].size(), std::size_t{1});
    }
    void recordsTheRequestedEvents() {
        const auto file = temporaryPath("heap.etl");
        QCOMPARE(record(file, {"--heap"}, kProgram).exitCode, 0);
        const auto info = runCli({"info", file, "--json"}).json();
        QVERIFY(info["heap_events"].get<int>() > 300);
        QCOMPARE(info["virtual_alloc_events"], Json(0));
    }
    void endsWhenMemoryReachesALimit() {
        for (const auto* limit : {"--stop-above", "--stop-growth"}) {
            const auto file = temporaryPath("limited.etl");
            // It commits 10 MB, touches them, and repeats this.
            const auto recorded = record(file, {limit, "12"}, {HIGHWATER_MEMORY_TEST_APP, "--seconds", "20"});
            QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
            QVERIFY2(recorded.messages.find("The recording was stopped as requested") != std::string::npos,
                     recorded.messages.c_str());
            QVERIFY(runCli({"info", file, "--json"}).json()["duration_s"].get<double>() < 15);
        }
        QCOMPARE(record(temporaryPath("never.etl"), {"--stop-above", "-1"}, kProgram).exitCode, 1);
    }
    /// A number that cannot be used as given must not silently become another one.
    void refusesNumbersAndNamesThatItCannotUse() {
        const std::vector<std::string> cases[] = {{"--stop-above", "99999999999999999999"},
                                                  {"--stop-growth", "nan"},
                                                  {"--duration", "nan"},
                                                  {"--duration", "1e400"},
                                                  {"--duration", "inf"},
                                                  {"--duration", "-1"}};
        for (const auto& options : cases) {
            const auto file = temporaryPath("refused.etl");
            const auto refused = record(file, options, kProgram);
            QVERIFY2(refused.exitCode == 1, (options[0] + ' ' + options[1]).c_str());
            QVERIFY(!refused.messages.empty());
            QVERIFY(!std::filesystem::exists(file));
        }
        const auto nameless = record("", {}, kProgram);
        QCOMPARE(nameless.exitCode, 1);
        QVERIFY2(nameless.messages.find("is empty") != std::string::npos, nameless.messages.c_str());
        const auto noProgram = record(temporaryPath("refused.etl"), {}, {""});
        QCOMPARE(noProgram.exitCode, 1);
        QVERIFY2(noProgram.messages.find("program name is empty") != std::string::npos, noProgram.messages.c_str());
    }
    void endsAfterItsTime() {
        const auto file = temporaryPath("short.etl");
        const auto recorded = record(file, {"--duration", "0.5"}, {HIGHWATER_MEMORY_TEST_APP, "--seconds", "5"});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
        const auto info = runCli({"info", file, "--json"}).json();
        QVERIFY(info["duration_s"].get<double>() < 4.5);
        QVERIFY(info["heap_events"].get<int>() > 0);
    }
    void givesTheProgramItsOwnOptions() {
        const auto file = temporaryPath("options.etl");
        const auto recorded = record(file, {}, {"/bin/sh", "-c", "echo \"$0 $1\" >&2", "--heap", "-o"});
        QCOMPARE(recorded.exitCode, 0);
        QVERIFY2(recorded.messages.find("--heap -o") != std::string::npos, recorded.messages.c_str());
    }
    void saysWhatIsMissing() {
        const auto file = temporaryPath("never.etl");
        const auto nothing = record(file, {}, {});
        QCOMPARE(nothing.exitCode, 1);
        QVERIFY(nothing.messages.find("Specify the program to record") != std::string::npos);
        const auto unknown = record(file, {}, {"/nonexistent/program"});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.messages.find("/nonexistent/program") != std::string::npos, unknown.messages.c_str());
        QVERIFY(!QFile::exists(QString::fromStdString(file)));
        QVERIFY(!QFile::exists(QString::fromStdString(file + ".recording")));
        const auto nowhere = record("/nonexistent/folder/out.etl", {}, {"/bin/true"});
        QCOMPARE(nowhere.exitCode, 2);
        QVERIFY2(nowhere.messages.find("/nonexistent/folder") != std::string::npos, nowhere.messages.c_str());
    }
};
HIGHWATER_TEST(RecordCommandTest);
#include "record_command_test.moc"
