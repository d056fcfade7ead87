#include "tests/app/cli/cli_runner.h"
#include "tests/app/cli/pictured_file.h"
#include "tests/fixtures/core_writer.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

Answer holders(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"holders", picturedFile()});
    return runCli(more);
}

/// Of a process without a heap, with a page of data.
std::string coreFile(std::uint32_t pid) {
    fixtures::CoreProcess process;
    process.pid = pid;
    process.program = "server";
    process.mappings.names = {""};
    Mapping data;
    data.begin = 0x10'0000;
    data.end = 0x10'1000;
    data.flags = mapping_flag::kRead | mapping_flag::kWrite;
    process.mappings.mappings = {data};
    process.threads.emplace_back().tid = pid;
    process.read = [](Address, std::span<std::byte> to) { return to.size(); };
    const auto path = temporaryPath("server.core");
    fixtures::writeCore(process, path);
    return path;
}

} // namespace

class HoldersQuestionTest : public QObject {
    Q_OBJECT

  private slots:
    void theNewestPictureIsAnswered() {
        const auto json = holders({"--format", "json"}).json();
        QCOMPARE(json["processes"].size(), std::size_t{1});
        const auto& process = json["processes"].at(0);
        QCOMPARE(process["picture_s"].get<double>(), 4.0);
        QCOMPARE(process["reachable_bytes"].get<int>(), 2000);
        QCOMPARE(process["unreachable_count"].get<int>(), 1);
        const auto& first = process["holders"].at(0);
        QCOMPARE(first["root"].get<std::string>(), std::string("server!g_archive"));
        QCOMPARE(first["retained_bytes"].get<int>(), 2000);
    }
    void anotherPictureCanBeChosen() {
        QVERIFY(has(holders({"--picture", "1"}).answers, "server!g_sessions"));
        QVERIFY(has(holders({"--range", ":3"}).answers, "server!g_sessions"));
        const auto missing = holders({"--picture", "3"});
        QVERIFY2(has(missing.messages, "--picture 3 does not exist. The trace has 2 pictures."),
                 missing.messages.c_str());
    }
    /// Of each request for pictures, one follows the other.
    void theOtherProcessesKeepTheirNewestPictures() {
        auto trace = unpicturedTrace();
        trace.processStarts(fixtures::seconds(1), {.pid = 71, .name = "worker"});
        for (const auto time : {2.0, 4.0}) {
            trace.picture(pictureAt(time, "server!g_sessions"));
            auto other = pictureAt(time + 0.01, "worker!g_jobs");
            other.pid = 71;
            trace.picture(other);
        }
        const auto path = temporaryPath("two-processes.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto timesOf = [&](const char* number) {
            const auto json = runCli({"holders", path, "--picture", number, "--format", "json"}).json();
            std::vector<double> times;
            for (const auto& process : json["processes"])
                times.push_back(process["picture_s"].get<double>());
            return times;
        };
        QCOMPARE(timesOf("1"), (std::vector<double>{2.0, 2.01}));
        QCOMPARE(timesOf("3"), (std::vector<double>{4.0, 4.01}));
        QCOMPARE(timesOf("4"), (std::vector<double>{4.0, 4.01}));
    }
    void aFilterThatMatchesNoBlockIsNamed() {
        const auto answer = holders({"--filter", "Size>1GB"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "No block of the picture of memory matches the filter."),
                 answer.messages.c_str());
        QVERIFY(!has(holders().messages, "matches the filter"));
    }
    void infoListsThePictures() {
        const auto json = runCli({"info", picturedFile(), "--json"}).json();
        QCOMPARE(json["pictures"].size(), std::size_t{2});
        const auto& second = json["pictures"].at(1);
        QCOMPARE(second["number"].get<int>(), 2);
        QCOMPARE(second["time_s"].get<double>(), 4.0);
        QCOMPARE(second["process"].get<std::string>(), std::string("server (70)"));
        QCOMPARE(second["blocks"].get<int>(), 3);
        QCOMPARE(second["bytes"].get<int>(), 3000);
        const auto text = runCli({"info", picturedFile()}).answers;
        QVERIFY2(has(text, "\n picture       time_s       blocks              bytes  process\n"
                           "       1        2.000            3               3000  server (70)\n"),
                 text.c_str());
    }
    void anIntervalWithoutPicturesIsRefused() {
        QVERIFY(has(holders({"--range", "5:"}).messages, "The interval contains no picture of memory"));
    }
    void columnsHaveTheValuesOfThePicture() {
        const auto csv = runCli({"table", picturedFile(), "--table", "heap", "--by", "Holder,Reachability", "--columns",
                                 "Retained,Count", "--no-symbols", "--format", "csv"});
        QVERIFY2(has(csv.answers, "server!g_archive,,2000,2,1"), csv.answers.c_str());
        QVERIFY2(has(csv.answers, "nothing (unreachable),Unreachable,1000,1,2"), csv.answers.c_str());
    }
    void aCoreFileNeedsNoTrace() {
        const auto core = coreFile(70);
        const auto text = runCli({"holders", "--core", core});
        QCOMPARE(text.exitCode, 0);
        QVERIFY2(has(text.answers, "server (70) at 0.000000000 s: 0 B in 0 blocks reachable"), text.answers.c_str());
        QVERIFY2(has(text.answers, "No trace of the process was specified"), text.answers.c_str());
        QCOMPARE(text.messages, std::string());
        const auto json = runCli({"holders", "--core", core, "--format", "json"}).json();
        const auto& process = json["processes"].at(0);
        QCOMPARE(process["process"].get<std::string>(), std::string("server (70)"));
        QVERIFY(!process["cautions"].empty());
    }
    /// Whose own pictures do not matter then.
    void aCoreFileIsComparedWithItsTrace() {
        const auto json = holders({"--core", coreFile(70), "--format", "json"}).json();
        QCOMPARE(json["processes"].size(), std::size_t{1});
        QCOMPARE(json["processes"].at(0)["blocks"].get<int>(), 0);
        const auto other = holders({"--core", coreFile(71)});
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(has(other.messages, "server (71), which is not in the trace"), other.messages.c_str());
    }
    void wrongCoreFilesAreRefused() {
        QVERIFY(has(runCli({"holders"}).messages, "TRACE is required: a trace file (.etl); or --core CORE."));
        QVERIFY(has(holders({"--core", coreFile(70), "--picture", "1"}).messages, "exclude each other"));
        const auto trace = runCli({"holders", "--core", picturedFile()});
        QCOMPARE(trace.exitCode, 2);
        QVERIFY2(has(trace.messages, "is not a core file."), trace.messages.c_str());
        QCOMPARE(runCli({"holders", "--core", "/no/such/core"}).exitCode, 2);
    }
    void emptyColumnsHaveAReason() {
        const auto table = runCli({"table", picturedFile(), "--table", "heap", "--by", "Holder", "--range", "5:"});
        QVERIFY2(has(table.messages, "no picture of memory was taken in the interval"), table.messages.c_str());
    }
};

HIGHWATER_TEST(HoldersQuestionTest);
#include "holders_question_test.moc"
