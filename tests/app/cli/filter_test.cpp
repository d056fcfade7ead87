#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace highwater;
using namespace highwater::tests;

/// --filter on the Exercise 2 trace, whose numbers exercise2_test.cpp explains.
class FilterTest : public QObject {
    Q_OBJECT

    static Answer table(const std::string& word, const std::string& filter, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{
            "table", exercise2File("plain"), "--table", word, "--by", "Process", "--filter", filter, "--format",
            "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }
    /// Count and Size of the process among the rows that match.
    static std::pair<std::int64_t, std::int64_t> found(const std::string& word, const std::string& filter,
                                                       const std::string& range = ":") {
        const auto answer = table(word, filter, {"--range", range});
        if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
        const auto row = rowAt(answer.json(), {kProcess});
        if (!row.is_object()) return {0, 0};
        return {row["values"]["Count"].get<std::int64_t>(), row["values"]["Size"].get<std::int64_t>()};
    }

  private slots:
    void blankFiltersNothing() {
        QCOMPARE(found("virtualalloc", ""), std::pair(std::int64_t{24}, 126 * kMB));
        QCOMPARE(found("virtualalloc", "  "), std::pair(std::int64_t{24}, 126 * kMB));
    }
    void sizesOfSingleRowsCount() {
        // The first block, the step and ten spikes, of 10 MB each.
        QCOMPARE(found("virtualalloc", R"([Process]:~="MemoryTestApp" AND Size:>1MB)"),
                 std::pair(std::int64_t{12}, 120 * kMB));
        QCOMPARE(found("virtualalloc", R"([Process]:~="MemoryTestApp" AND Size:<=1MB)"),
                 std::pair(std::int64_t{12}, 6 * kMB));
        QCOMPARE(found("virtualalloc", R"([Process]:~="explorer" AND Size:>1MB)"),
                 std::pair(std::int64_t{0}, std::int64_t{0}));
        QCOMPARE(found("heap", "Handle:=0x1d0000 [Allocation Size]:=40 Type:=AIFO", "12:22"),
                 std::pair(std::int64_t{319}, std::int64_t{12'760}));
    }
    void typesAreThoseOfTheInterval() {
        QCOMPARE(found("virtualalloc", R"(Type:="AIFI")", "20:31.5"), std::pair(std::int64_t{4}, 40 * kMB));
        QCOMPARE(found("virtualalloc", R"(NOT Type:="AIFI")", "20:31.5"), std::pair(std::int64_t{4}, 21 * kMB));
        QCOMPARE(found("virtualalloc", "[Impacting Type]:=Persistent", "20:31.5"),
                 std::pair(std::int64_t{4}, 21 * kMB));
        QCOMPARE(found("virtualalloc", R"(Type:="AIFI")"), std::pair(std::int64_t{24}, 126 * kMB));
    }
    void stacksMatchByAnyFrame() {
        const auto all = found("heap", "");
        const auto with = found("heap", R"([Stack]:~="MemoryTestApp.exe!+0x1620")");
        const auto without = found("heap", R"([Stack]:~!"MemoryTestApp.exe!+0x1620")");
        QVERIFY(with.first > 0);
        QVERIFY(without.first > 0);
        QCOMPARE(with.first + without.first, all.first);
        QCOMPARE(with.second + without.second, all.second);
        QCOMPARE(found("heap", R"(NOT [Stack]:~="memorytestapp.exe!+0x1620")"), without);
        QCOMPARE(found("heap", R"([Stack]:~="ntdll.dll!+0x1520")", "12:22"),
                 found("heap", R"([Stack]:~="+0x1520")", "12:22"));
        QVERIFY(found("heap", R"([Stack]:~="+0x1520" Handle:=0x1d0000 Type:=AIFO)", "12:22").first == 319);
    }
    void freesHaveColumnsOfTheirOwn() {
        QCOMPARE(found("frees", R"([FreeType]:~="unmatched")").first, std::int64_t{2});
        QCOMPARE(found("frees", R"(Memory:=VirtualAlloc NOT FreeType:="Process exit")", "20:31.5"),
                 std::pair(std::int64_t{4}, 40 * kMB));
    }
    void placeholdersOfMissingValuesCanBeFiltered() {
        const auto outstanding = found("heap", "FreeType:=[]");
        QVERIFY(outstanding.first > 0);
        QCOMPARE(found("heap", "FreeType:outstanding"), outstanding);
        QCOMPARE(found("heap", "FreeType:='(outstanding)'"), outstanding);
        QCOMPARE(found("heap", "FreeType:~!outstanding"), found("heap", "FreeType:<>[]"));
    }
    void timelinesAreFiltered() {
        const auto answer =
            runCli({"timeline", exercise2File("plain"), "--table", "virtualalloc", "--range", "20:31.5", "--points",
                    "1150", "--filter", R"([Process]:~="MemoryTestApp" Type:=AIFI)", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto series = answer.json()["series"];
        QCOMPARE(series.size(), std::size_t{1});
        std::int64_t highest = 0, last = 0;
        int spikes = 0;
        for (const auto& point : series[0]["points"]) {
            const auto level = point[1].get<std::int64_t>();
            if (last == 0 && level > 0) ++spikes;
            highest = std::max(highest, level);
            last = level;
        }
        QCOMPARE(spikes, 4);
        QCOMPARE(highest, 10 * kMB);
    }

    void timelinesPeakWhereTablesDo_data() {
        QTest::addColumn<QString>("filter");
        QTest::newRow("nothing") << "";
        QTest::newRow("size") << "Size:>1MB";
        QTest::newRow("type") << "Type:=AIFI";
        QTest::newRow("impacting type") << R"([Impacting Type]:=Impacting OR [Impacting Type]:=Persistent)";
        QTest::newRow("stack") << R"([Stack]:~="MemoryTestApp")";
        QTest::newRow("no stack") << R"([Stack]:~!"MemoryTestApp")";
        QTest::newRow("no row") << R"([Process]:="nobody")";
    }
    void timelinesPeakWhereTablesDo() {
        QFETCH(QString, filter);
        for (const std::string word : {"virtualalloc", "heap"}) {
            const auto rows = table(word, filter.toStdString(), {"--range", "12:26", "--columns", "Peak Size"});
            QCOMPARE(rows.exitCode, 0);
            std::map<std::string, std::int64_t> peaks, highest;
            const auto groups = rows.json()["rows"];
            for (const auto& row : groups)
                peaks[row["key"]] = row["values"]["Peak Size"].get<std::int64_t>();
            const auto lines =
                runCli({"timeline", exercise2File("plain"), "--table", word, "--by", "Process", "--range", "12:26",
                        "--points", "100", "--filter", filter.toStdString(), "--format", "json"});
            QCOMPARE(lines.exitCode, 0);
            const auto allSeries = lines.json()["series"];
            for (const auto& series : allSeries)
                for (const auto& point : series["points"])
                    highest[series["name"]] = std::max(highest[series["name"]], point[1].get<std::int64_t>());
            QCOMPARE(peaks.empty(), filter.contains("nobody") || (word == "heap" && filter == "Size:>1MB"));
            QVERIFY2(highest == peaks, qPrintable(filter));
        }
    }

    void errorsPointAtThePlace_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("lines");
        QTest::newRow("unit") << "Size:>1parsec"
                              << "  Size:>1parsec\n        ^~~~~~~\n";
        QTest::newRow("column") << "[Sise]:>1"
                                << "  [Sise]:>1\n  ^";
        QTest::newRow("end") << "Size:>1 AND"
                             << "  Size:>1 AND\n             ^\n";
        QTest::newRow("parenthesis") << "(Size:>1"
                                     << "  (Size:>1\n  ^\n";
        QTest::newRow("characters, not bytes") << QString::fromUtf8("\"\xC3\xA4\xE2\x82\xAC\" )")
                                               << QString::fromUtf8("  \"\xC3\xA4\xE2\x82\xAC\" )\n       ^\n");
        QTest::newRow("line breaks") << "Size:>1\n)"
                                     << "  Size:>1 )\n          ^\n";
    }
    void errorsPointAtThePlace() {
        QFETCH(QString, query);
        QFETCH(QString, lines);
        for (const auto* command : {"table", "timeline"}) {
            // The error is reported before the trace is read, so the file need not exist.
            const auto answer = runCliProgram(
                {command, "no-such.etl", "--table", "heap", "--by", "Process", "--filter", query.toStdString()});
            QCOMPARE(answer.exitCode, 1);
            QVERIFY(answer.answers.empty());
            const auto messages = QString::fromStdString(answer.messages);
            QVERIFY2(messages.startsWith("highwater-cli: "), answer.messages.c_str());
            QVERIFY2(messages.contains("\n" + lines), answer.messages.c_str());
        }
    }
    void seriesNamesAreRefused() {
        const auto answer = table("heap", R"([Series Name]:="MemoryTestApp.exe")");
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(QString::fromStdString(answer.messages).contains("cannot filter rows"));
    }
};
HIGHWATER_TEST(FilterTest);
#include "filter_test.moc"
