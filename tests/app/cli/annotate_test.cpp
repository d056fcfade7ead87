#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;

/// --annotate on the trace of Exercise 2, whose numbers exercise2_test.cpp explains.
class AnnotateTest : public QObject {
    Q_OBJECT

    static Answer table(const std::vector<std::string>& labels, std::vector<std::string> more) {
        std::vector<std::string> arguments{"table", "--table", "virtualalloc", "--no-symbols"};
        for (const auto& label : labels) {
            arguments.emplace_back("--annotate");
            arguments.push_back(label);
        }
        arguments.push_back(exercise2File("plain")); // behind them: it is no label
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
                                  << "A label is LABEL=QUERY, such as";
        QTest::newRow("no label") << " =Size:>1"
                                  << "The label is missing.";
        QTest::newRow("two lines") << "a\nb=Size:>1"
                                   << "A label is one line of text.";
        QTest::newRow("too long") << QString(300, 'x') + "="
                                  << "The label is too long";
        QTest::newRow("unknown column") << "x=[Proces]:=y"
                                        << "has no column \"Proces\". Did you mean [Process]";
        QTest::newRow("pointed at") << "x=[Proces]:=y"
                                    << "  ^~~~~~~~";
        QTest::newRow("of groups") << "x=Slope:>1"
                                   << "Slope is a value of groups";
        QTest::newRow("itself") << "x=[Annotation]:=y"
                                << "A label cannot depend on [Annotation]";
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
    void areMissedWhereTheyAreAskedFor() {
        for (const std::vector<std::string>& more : {std::vector<std::string>{"--by", "Annotation"},
                                                     {"--by", "Process", "--columns", "Annotation"},
                                                     {"--by", "Process", "--sort", "Annotation"},
                                                     {"--by", "Process", "--filter", "[Annotation]:=x"}}) {
            const auto answer = table({}, more);
            QCOMPARE(answer.exitCode, 1);
            QVERIFY(has(answer.messages, "There are no labels for [Annotation]"));
        }
        QCOMPARE(runCli({"timeline", exercise2File("plain"), "--table", "heap", "--by", "Annotation"}).exitCode, 1);
        QCOMPARE(runCli({"leaks", exercise2File("plain"), "--filter", "[Annotation]:=x"}).exitCode, 1);
        QCOMPARE(runCli({"explain", exercise2File("plain"), "--filter", "[Annotation]:=x"}).exitCode, 1);
    }
};
HIGHWATER_TEST(AnnotateTest);
#include "annotate_test.moc"
