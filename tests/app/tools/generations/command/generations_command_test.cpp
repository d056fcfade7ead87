#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fstream>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

Json generationsOf(const std::string& path, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"generations", path, "--no-symbols", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto answer = runCli(arguments);
    if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
    return answer.json();
}

/// The Exercise 2 trace with a mark at 12 s.
std::string markedFile() {
    static const auto path = [] {
        auto file = temporaryPath("marked.etl");
        auto trace = fixtures::exercise2Trace();
        trace.mark(fixtures::seconds(12), "warm");
        return trace.writeTo(file).hasValue() ? file : std::string();
    }();
    return path;
}

} // namespace

/// highwater-cli generations, and typed marks.
class GenerationsCommandTest : public QObject {
    Q_OBJECT
  private slots:
    /// 957 blocks of 40 bytes, 31.9 a second from 2 s on, none of them freed.
    void eachGenerationKeepsItsLeaks() {
        const auto answer = generationsOf(
            exercise2File("plain"), {"--mark", "12=warm", "--mark", "22=full", "--filter", "Process:MemoryTestApp"});
        QCOMPARE(answer["marks"], Json(2));
        const auto& generations = answer["generations"];
        QCOMPARE(generations.size(), std::size_t{3});
        QCOMPARE(generations[0]["generation"], Json("1. before warm"));
        QCOMPARE(generations[1]["generation"], Json("2. warm to full"));
        QCOMPARE(generations[1]["mark"], Json("full"));
        QCOMPARE(generations[1]["start_s"], Json(12.0));
        QCOMPARE(generations[1]["end_s"], Json(22.0));
        QCOMPARE(generations[2]["mark"], Json());
        for (const auto& generation : generations) {
            const auto& stacks = generation["stacks"];
            const auto leak = std::find_if(stacks.begin(), stacks.end(), [](const Json& stack) {
                return stack["persistent_count"] == 319 && stack["persistent_bytes"] == 319 * 40;
            });
            QVERIFY2(leak != stacks.end(), generation.dump().c_str());
            QCOMPARE((*leak)["growth_bytes"], Json(319 * 40));
            QVERIFY(has((*leak)["owner"], "MemoryTestApp.exe!"));
        }
    }
    void growthsAddUpToTheImpactingSizeOfTheTable() {
        const auto file = exercise2File("plain");
        const auto answer = generationsOf(file, {"--mark", "12", "--range", "5:20"});
        const auto table = runCli({"table", file, "--table", "heap", "--by", "Process", "--range", "5:20",
                                   "--no-symbols", "--format", "json"})
                               .json();
        std::int64_t impacting = 0, growth = 0;
        for (const auto& row : table["rows"])
            impacting += row["values"]["Impacting Size"].get<std::int64_t>();
        for (const auto& generation : answer["generations"])
            growth += generation["growth_bytes"].get<std::int64_t>();
        QCOMPARE(growth, impacting);
        QCOMPARE(answer["total"]["growth_bytes"], Json(impacting));
    }
    void theTablesColumnSaysTheSame() {
        const auto file = markedFile();
        const auto answer = generationsOf(file, {"--mark", "22=full"});
        const auto table = runCli({"table", file, "--table", "heap", "--by", "Generation,Type", "--mark", "22=full",
                                   "--no-symbols", "--format", "json"})
                               .json();
        QCOMPARE(answer["generations"].size(), std::size_t{3});
        for (const auto& generation : answer["generations"]) {
            const auto kept = rowAt(table, {generation["generation"].get<std::string>(), "AIFO"});
            QCOMPARE(kept["values"]["Count"], generation["persistent_count"]);
            QCOMPARE(kept["values"]["Impacting Size"], generation["persistent_bytes"]);
        }
        // Equal in texts and in time.
        const auto csv = runCli({"table", file, "--table", "heap", "--by", "Generation", "--sort", "Generation",
                                 "--mark", "22=full", "--columns", "Count", "--format", "csv"})
                             .answers;
        QVERIFY2(csv.find("1. before warm") < csv.find("2. warm to full"), csv.c_str());
        QVERIFY2(csv.find("2. warm to full") < csv.find("3. after full"), csv.c_str());
    }
    void queriesAskForMarks() {
        const auto count = [&](const std::string& query) {
            const auto answer = runCli({"table", markedFile(), "--table", "heap", "--by", "Process", "--mark",
                                        "22=full", "--filter", query, "--no-symbols", "--format", "json"});
            const auto row = rowWithKey(answer.json()["rows"], kProcess);
            return row.is_null() ? std::int64_t{0} : row["values"]["Count"].get<std::int64_t>();
        };
        const auto first = count("[Generation]:=\"1. before warm\"");
        const auto second = count("Generation:~=\"warm to\"");
        const auto third = count("[Generation]:~>\"after full\"");
        QVERIFY(first > 0 && second > 0 && third > 0);
        QCOMPARE(first + second + third, count("Size>=0"));
        const auto once = count("Survived Marks:=1"), twice = count("[Survived Marks]>=2");
        QVERIFY(once > 0 && twice > 0);
        QCOMPARE(count("[Survived Marks]:=0") + once + twice, count("Size>=0"));
    }
    void explainsMarksIfThereAreNone() {
        const auto file = exercise2File("plain");
        const auto answer = runCli({"generations", file, "--no-symbols"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.answers, "1. the whole trace"), answer.answers.c_str());
        QVERIFY2(has(answer.messages, "--mark"), answer.messages.c_str());
        const auto table = runCli({"table", file, "--table", "heap", "--by", "Generation", "--no-symbols"});
        QVERIFY2(has(table.messages, "has no marks"), table.messages.c_str());
        QVERIFY(!has(runCli({"table", file, "--table", "heap", "--by", "Process"}).messages, "marks"));
        QVERIFY(!has(runCli({"generations", markedFile(), "--no-symbols"}).messages, "--mark"));
    }
    void writesTextAndCsv() {
        const auto file = markedFile();
        const auto text = runCli({"generations", file, "--no-symbols", "--top", "1"}).answers;
        QVERIFY2(has(text, "1. before warm, up to mark warm at 12.000000000 s: "), text.c_str());
        QVERIFY2(has(text, "2. after warm, up to the end at 34.000000000 s: "), text.c_str());
        QVERIFY2(has(text, "\n   (4 more stacks are not listed; increase --top to list them)   "), text.c_str());
        const auto csv = runCli({"generations", file, "--no-symbols", "--format", "csv"}).answers;
        std::istringstream lines(csv);
        std::string titles, line;
        std::getline(lines, titles);
        QVERIFY2(titles.starts_with("generation,mark,start_s,end_s,"), titles.c_str());
        QVERIFY(std::getline(lines, line));
        QCOMPARE(std::count(line.begin(), line.end(), ','), std::count(titles.begin(), titles.end(), ','));
        QVERIFY2(line.starts_with("1. before warm,warm,0.0,12.0,"), line.c_str());
    }
    void aGenerationWithoutStacksHasALine() {
        const auto csv = runCli({"generations", exercise2File("plain"), "--no-symbols", "--format", "csv", "--filter",
                                 "Process:nobody"})
                             .answers;
        QVERIFY2(csv.ends_with("1. the whole trace,,0.0,34.0,0,0,0,0,0,0,,,\n"), csv.c_str());
    }
    void leaksListSurvivorsOfTypedMarks() {
        const auto answer = runCli({"leaks", exercise2File("plain"), "--no-symbols", "--format", "json", "--mark", "20",
                                    "--mark", "25=again"})
                                .json();
        QCOMPARE(answer["suspects"][0]["survived_marks"], Json(2));
    }
    void timelinesSplitByGeneration() {
        const auto answer = runCli({"timeline", exercise2File("plain"), "--table", "heap", "--by", "Generation",
                                    "--mark", "12=warm", "--points", "1", "--format", "json"})
                                .json();
        QCOMPARE(answer["series"].size(), std::size_t{2});
    }
    void wrongMarksAreRefused() {
        const auto file = exercise2File("plain");
        for (const auto* command : {"generations", "leaks", "table", "timeline"}) {
            std::vector<std::string> arguments{command, file, "--mark", "99"};
            if (std::string(command).starts_with("t")) arguments.insert(arguments.end(), {"--table", "heap"});
            if (std::string(command) == "table") arguments.insert(arguments.end(), {"--by", "Process"});
            const auto answer = runCli(arguments);
            QCOMPARE(answer.exitCode, 1);
            QVERIFY2(has(answer.messages, "outside the trace"), answer.messages.c_str());
        }
        const auto frees = runCli({"generations", file, "--table", "frees"});
        QCOMPARE(frees.exitCode, 1);
        QVERIFY2(has(frees.messages, "generations does not support the table frees. "), frees.messages.c_str());
        QCOMPARE(runCli({"generations", file, "--mark", "soon"}).exitCode, 1);
        QCOMPARE(runCli({"generations", temporaryPath("nothing.etl")}).exitCode, 2);
    }
};
HIGHWATER_TEST(GenerationsCommandTest);
#include "generations_command_test.moc"
