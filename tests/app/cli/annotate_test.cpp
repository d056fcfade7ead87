#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::tests;

/// --annotate on the Exercise 2 trace, whose numbers exercise2_test.cpp explains.
class AnnotateTest : public QObject {
    Q_OBJECT

    static Answer table(const std::vector<std::string>& labels, std::vector<std::string> more) {
        std::vector<std::string> arguments{"table", "--table", "virtualalloc", "--no-symbols"};
        for (const auto& label : labels) {
            arguments.emplace_back("--annotate");
            arguments.push_back(label);
        }
        arguments.push_back(exercise2File("plain")); // after the labels, so it is not read as a label
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }
    static std::pair<std::int64_t, std::int64_t> group(const Answer& answer, std::string_view label) {
        const auto row = rowAt(answer.json(), {label});
        if (!row.is_object()) return {0, 0};
        return {row["values"]["Count"].get<std::int64_t>(), row["values"]["Size"].get<std::int64_t>()};
    }

  private slots:
    void groupsByLabels() {
        const auto answer =
            table({R"(Large = [Process]:~="MemoryTestApp" AND Size:>1MB)", "App=[Process]:~=MemoryTestApp", "Other="},
                  {"--by", "Annotation,Process", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(group(answer, "Large"), std::pair(std::int64_t{12}, 120 * kMB));
        QCOMPARE(group(answer, "App"), std::pair(std::int64_t{12}, 6 * kMB));
        QVERIFY(group(answer, "Other").first > 0);
        QCOMPARE(answer.json()["rows"].size(), std::size_t{3});
        QCOMPARE(answer.json()["rows"][0]["column"].get<std::string>(), std::string("Annotation"));
    }
    void areOfTheInterval() {
        const auto answer = table({"Temporary=Type:=AIFI AND [Process]:~=MemoryTestApp"},
                                  {"--by", "Annotation", "--range", "20:31.5", "--format", "json"});
        QCOMPARE(group(answer, "Temporary"), std::pair(std::int64_t{4}, 40 * kMB));
        QCOMPARE(group(answer, "(none)").first > 0, true);
    }
    void filterAndSort() {
        const auto answer = table({"z=[Process]:~=chrome", "a=[Process]:~=svchost"},
                                  {"--by", "Annotation", "--filter", "[Annotation]:<>[]", "--sort", "Annotation",
                                   "--columns", "Count,Annotation,Unique Count(Annotation)", "--format", "json"});
        const auto rows = answer.json()["rows"];
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0]["key"].get<std::string>(), std::string("a"));
        QCOMPARE(rows[1]["values"]["Annotation"].get<std::string>(), std::string("z"));
        QCOMPARE(rows[1]["values"]["Unique Count(Annotation)"].get<int>(), 1);
    }
    /// If a process number was reused, the text of the process contains its start: suggestions for a row refer to that
    /// process only.
    void aProcessWhoseNumberCameAgainHasItsOwn() {
        fixtures::TraceBuilder trace;
        for (const int start : {1, 3}) {
            trace.processStarts(fixtures::seconds(start), {.pid = 10, .name = "a.exe", .mainTid = 11});
            trace.heapAlloc({fixtures::seconds(start + 0.5), 10, 11}, 0x1D0000,
                            {static_cast<Address>(0x1E0000 + start * 0x1000), 100}, "a.exe!main");
            trace.processEnds(fixtures::seconds(start + 1), 10);
        }
        trace.endsAt(fixtures::seconds(5));
        const auto path = temporaryPath("reused.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto ask = [&](const std::string& by, const std::vector<std::string>& more) {
            std::vector<std::string> arguments{"table", path,           "--table",  "heap", "--by",
                                               by,      "--no-symbols", "--format", "json"};
            arguments.insert(arguments.end(), more.begin(), more.end());
            return runCli(arguments).json()["rows"];
        };
        const auto processes = ask("Process", {});
        QCOMPARE(processes.size(), std::size_t{2});
        for (const auto& process : processes) {
            const auto name = process["key"].get<std::string>();
            const auto labelled = ask("Annotation,Process", {"--annotate", "One=[Process]:=\"" + name + "\""});
            const auto one = rowWithKey(labelled, "One");
            QCOMPARE(one["rows"].size(), std::size_t{1});
            QCOMPARE(one["rows"][0]["key"].get<std::string>(), name);
        }
    }
    void sayWhereThereIsNone() {
        const auto answer =
            table({"z=[Process]:~=chrome"}, {"--by", "Process", "--columns", "Count,Annotation", "--format", "json"});
        const auto rows = answer.json()["rows"];
        int labelled = 0;
        for (const auto& row : rows) {
            const bool isChrome = row["key"].get<std::string>().find("chrome") != std::string::npos;
            QCOMPARE(row["values"]["Annotation"].get<std::string>(), std::string(isChrome ? "z" : "(none)"));
            labelled += isChrome ? 1 : 0;
        }
        QVERIFY(labelled > 0 && rows.size() > std::size_t{1});
    }
    void drawTimelines() {
        const auto answer = runCli({"timeline", exercise2File("plain"), "--table", "virtualalloc", "--by", "Annotation",
                                    "--annotate", "Large=Size:>1MB", "--points", "10", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(answer.json()["series"].size(), std::size_t{2});
        QCOMPARE(answer.json()["series"][0]["name"].get<std::string>(), std::string("Large"));
    }
    void mayReadLikeAnything() {
        const auto html = std::string("<img>, \"quoted\"; ") + std::string(200, 'x');
        const auto json = table({html + "=Size:>1MB"}, {"--by", "Annotation", "--format", "json"});
        QVERIFY(group(json, html).first > 0);
        const auto csv = table({html + "=Size:>1MB"}, {"--by", "Annotation", "--format", "csv"});
        QVERIFY(has(csv.answers, "\"<img>, \"\"quoted\"\"; "));
        for (const auto* format : {"text", "ndjson"})
            QVERIFY(has(table({html + "=Size:>1MB"}, {"--by", "Annotation", "--format", format}).answers, "quoted"));
    }
    void badOnesAreExplained_data() {
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("message");
        QTest::newRow("no query") << "Cache"
                                  << "Write a label as LABEL=QUERY, such as";
        QTest::newRow("no label") << " =Size:>1"
                                  << "The label is missing.";
        QTest::newRow("two lines") << "a\nb=Size:>1"
                                   << "A label must be a single line of text.";
        QTest::newRow("too long") << QString(300, 'x') + "="
                                  << "The label is too long";
        QTest::newRow("unknown column") << "x=[Proces]:=y"
                                        << "has no column \"Proces\". Did you mean [Process]";
        QTest::newRow("pointed at") << "x=[Proces]:=y"
                                    << "  ^~~~~~~~";
        QTest::newRow("of groups") << "x=Slope:>1"
                                   << "Slope is a value of groups";
        QTest::newRow("itself") << "x=[Annotation]:=y"
                                << "The query of a label cannot use [Annotation]";
        QTest::newRow("series") << "x=[Series Name]:=y"
                                << "[Series Name] is the name of a group";
    }
    void badOnesAreExplained() {
        QFETCH(QString, label);
        QFETCH(QString, message);
        const auto answer = table({label.toStdString()}, {"--by", "Process"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, message.toStdString()), answer.messages.c_str());
    }
    void areKnownToAllCommandsWithAFilter_data() {
        QTest::addColumn<QStringList>("command");
        const auto file = QString::fromStdString(exercise2File("plain"));
        QTest::newRow("leaks") << QStringList{"leaks", file, "--format", "csv"};
        QTest::newRow("generations") << QStringList{"generations", file, "--mark", "12", "--format", "csv"};
        QTest::newRow("histogram") << QStringList{"histogram", file, "--table", "heap"};
        QTest::newRow("callers") << QStringList{"callers", file, "--function", "ntdll.dll!+0x1520"};
        QTest::newRow("flames") << QStringList{"flames", file, "--measure", "Count"};
        QTest::newRow("flames of two") << QStringList{"flames", file, "--with", file, "--with-range", "0:17"};
        QTest::newRow("diff") << QStringList{"diff", file, "--range", "0:17", "--with-range", "17:34"};
        QTest::newRow("explain") << QStringList{"explain", file, "--format", "json"};
    }
    void areKnownToAllCommandsWithAFilter() {
        QFETCH(QStringList, command);
        std::vector<std::string> plain{"--no-symbols"};
        for (auto at = command.size(); at-- > 0;)
            plain.insert(plain.begin(), command[at].toStdString());
        auto filtered = plain, labelled = plain;
        filtered.insert(filtered.end(), {"--filter", "Size:>48"});
        labelled.insert(labelled.end(), {"--filter", "[Annotation]:=Large", "--annotate", "Large=Size:>48"});
        const auto all = runCli(plain), byFilter = runCli(filtered), byLabel = runCli(labelled);
        QCOMPARE(byLabel.exitCode, 0);
        if (command.front() != "explain") { // quotes the words of the note
            QCOMPARE(byLabel.answers, byFilter.answers);
            QVERIFY(byLabel.answers != all.answers);
            return;
        }
        QCOMPARE(byLabel.json()["surge"]["bytes"], byFilter.json()["surge"]["bytes"]);
        // The commands in it refer to the same rows.
        QVERIFY(has(byLabel.json()["leaks_command"].get<std::string>(), "--annotate 'Large=Size:>48'"));
    }
    void soAreMarks() {
        const auto file = exercise2File("plain");
        const std::vector<std::string> marked{"--mark", "12", "--filter", "[Survived Marks]:>=1", "--no-symbols"};
        const auto run = [&](std::vector<std::string> command) {
            command.insert(command.end(), marked.begin(), marked.end());
            return runCli(command);
        };
        const auto counted =
            run({"table", file, "--table", "heap", "--by", "Process", "--columns", "Count", "--format", "json"}).json();
        std::int64_t count = 0;
        for (const auto& row : counted["rows"])
            count += row["values"]["Count"].get<std::int64_t>();
        QVERIFY(count > 0);
        const auto histogram = run({"histogram", file, "--table", "heap", "--format", "json"}).json();
        QCOMPARE(histogram["count"], Json(count));
        const auto difference = run({"diff", file, "--with", file, "--format", "json"}).json();
        QCOMPARE(difference["total"]["values"]["Count"]["before"], Json(count));
        QCOMPARE(difference["total"]["values"]["Count"]["after"], Json(count));
        std::int64_t sum = 0;
        std::istringstream lines(run({"flames", file, "--measure", "Count"}).answers);
        for (std::string line; std::getline(lines, line);)
            sum += std::stoll(line.substr(line.rfind(' ') + 1));
        QCOMPARE(sum, count);
        const auto callers = run({"callers", file, "--function", "ntdll.dll!+0x1520", "--format", "json"}).json();
        QVERIFY(!callers.is_discarded());
        // Labels may be keys of a comparison.
        const auto byLabel = run({"diff", file, "--with", file, "--by", "Annotation", "--annotate", "Large=Size:>48",
                                  "--annotate", "Small=", "--format", "json"})
                                 .json();
        QCOMPARE(byLabel["rows"].size(), std::size_t{2});
        QCOMPARE(run({"diff", file, "--with", file, "--by", "Annotation"}).exitCode, 1);
        QCOMPARE(run({"flames", file, "--by", "Annotation"}).exitCode, 1);
    }
    void areMissedWhereTheyAreAskedFor() {
        for (const std::vector<std::string>& more : {std::vector<std::string>{"--by", "Annotation"},
                                                     {"--by", "Process", "--columns", "Annotation"},
                                                     {"--by", "Process", "--sort", "Annotation"},
                                                     {"--by", "Process", "--filter", "[Annotation]:=x"}}) {
            const auto answer = table({}, more);
            QCOMPARE(answer.exitCode, 1);
            QVERIFY(has(answer.messages, "[Annotation] has no labels"));
        }
        QCOMPARE(runCli({"timeline", exercise2File("plain"), "--table", "heap", "--by", "Annotation"}).exitCode, 1);
        QCOMPARE(runCli({"leaks", exercise2File("plain"), "--filter", "[Annotation]:=x"}).exitCode, 1);
        QCOMPARE(runCli({"explain", exercise2File("plain"), "--filter", "[Annotation]:=x"}).exitCode, 1);
    }
};
HIGHWATER_TEST(AnnotateTest);
#include "annotate_test.moc"
