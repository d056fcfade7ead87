#include "core/export/table_format.h"
#include "tests/core/export/example_query.h"
#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::CellValue, analysis::Column, analysis::Query, analysis::Table;

/// The writing of tables, on a small table made by hand.
class TableFormatTest : public QObject {
    Q_OBJECT

    struct Row {
        std::vector<PathStep> path;
        std::vector<CellValue> values;
    };
    static Query query() { return tests::exampleQuery(); }
    static std::vector<Row> rows(const std::string& firstProcess = "a, \"b\".exe (1)") {
        const PathStep process{Column::Process, firstProcess};
        const PathStep outer{Column::Stack, "n.dll!+0x10"};
        const PathStep inner{Column::Stack, "a.exe!+0x20"};
        const PathStep other{Column::Stack, "a.exe!+0x30"};
        const auto count = [](std::int64_t number) { return CellValue(number); };
        return {{{process}, {count(12), TraceTime{1'100'000'000}}},
                {{process, outer}, {count(12), {}}},
                {{process, outer, inner}, {count(11), {}}},
                {{process, outer, inner, {Column::Handle, "0x1d0000"}}, {count(11), {}}},
                {{process, outer, other}, {count(1), {}}},
                {{{Column::Process, "b.exe (2)"}}, {count(1), {}}}};
    }
    static std::string written(TableFormat format, const std::vector<Row>& rows, TableRows kind = TableRows::Tree) {
        HealthReport health;
        health.counts[static_cast<std::size_t>(Loss::UnmatchedFrees)] = 3;
        health.remarks = {"A remark."};
        std::ostringstream out;
        const auto writer = makeTableWriter(format, kind, query(), out);
        writer->begin();
        for (const auto& row : rows) {
            writer->write({row.path, row.values});
        }
        writer->end(health);
        return out.str();
    }

  private slots:
    void textMarksForksAndIndentsNothingElseOfAStack() {
        QCOMPARE(QString::fromStdString(written(TableFormat::Text, rows())),
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                         "Process / Stack / Handle  Count     FreeTime\n"
                         "a, \"b\".exe (1)               12  1.100000000\n"
                         "  n.dll!+0x10                12             \n"
                         "  |- a.exe!+0x20             11             \n"
                         "       0x1d0000              11             \n"
                         "  |- a.exe!+0x30              1             \n"
                         "b.exe (2)                     1             \n"));
    }
    void aVeryLongNameMovesNoOtherLine() {
        auto some = rows();
        some[1].path[1].text = "n.dll!" + std::string(1000, 'f');
        const auto text = QString::fromStdString(written(TableFormat::Text, some));
        QVERIFY2(text.contains("Process / Stack / Handle  Count     FreeTime\n"
                               "a, \"b\".exe (1)               12  1.100000000\n"
                               "  n.dll!fff"),
                 qPrintable(text));
        QVERIFY(text.contains("f     12             \n"));
        QVERIFY(text.contains("       0x1d0000              11             \n"));
    }
    void textOfATableWithoutRowsHasItsTitles() {
        QCOMPARE(QString::fromStdString(written(TableFormat::Text, {})),
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                         "Process / Stack / Handle  Count  FreeTime\n"));
    }
    /// Names come from traces, so control characters are not printed.
    void nothingCanSteerTheTerminal() {
        const auto hostile = rows("a\x1B[2J\nb.exe (1)\xC2\x9B");
        for (const auto& format : tableFormats()) {
            for (const auto kind : {TableRows::Tree, TableRows::Leaves}) {
                const auto text = written(format.format, hostile, kind);
                QVERIFY(text.find("\xC2\x9B") == std::string::npos);
                QVERIFY(text.find('\x1B') == std::string::npos);
            }
        }
        QVERIFY(written(TableFormat::Csv, hostile)
                    .find("a\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                          "b.exe (1)") != std::string::npos);
    }
    void csvHasTheWholePathInEveryLine() {
        QCOMPARE(QString::fromStdString(written(TableFormat::Csv, rows())),
                 QString("Process,Stack,Handle,Count,FreeTime,Level\n"
                         "\"a, \"\"b\"\".exe (1)\",,,12,1.1,1\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10,,12,,2\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x20,,11,,3\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x20,0x1d0000,11,,4\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x30,,1,,3\n"
                         "b.exe (2),,,1,,1\n"));
    }
    void jsonNestsAndNamesLosses() {
        const auto json = nlohmann::json::parse(written(TableFormat::NestedJson, rows()));
        QCOMPARE(json["schema_version"], nlohmann::json(1));
        QCOMPARE(json["table"], nlohmann::json("heap"));
        QCOMPARE(json["interval"]["end"], nlohmann::json(2.2));
        QCOMPARE(json["columns"], nlohmann::json({"Count", "FreeTime"}));
        QCOMPARE(json["rows"].size(), std::size_t{2});
        const auto& first = json["rows"][0];
        QCOMPARE(first["key"], nlohmann::json("a, \"b\".exe (1)"));
        QCOMPARE(first["values"], nlohmann::json({{"Count", 12}, {"FreeTime", 1.1}}));
        QCOMPARE(first["rows"][0]["rows"].size(), std::size_t{2});
        const auto& health = json["health"];
        QCOMPARE(health.size(), std::size_t{2});
        QCOMPARE(health[1]["what"], nlohmann::json("unmatched frees"));
        QCOMPARE(health[1]["count"], nlohmann::json(3));
        QCOMPARE(health[1]["id"], nlohmann::json("unmatched_frees"));
        QCOMPARE(health[1]["severity"], nlohmann::json("note"));
        QVERIFY(health[1]["sentence"].get<std::string>().starts_with("Such frees are listed"));
        QCOMPARE(health[0], nlohmann::json({{"what", "A remark."},
                                            {"count", 1},
                                            {"id", "remark"},
                                            {"severity", "bound"},
                                            {"sentence", "A remark."}}));
    }
    void jsonOfATableWithoutRowsIsWhole() {
        QCOMPARE(nlohmann::json::parse(written(TableFormat::NestedJson, {}))["rows"], nlohmann::json::array());
        QCOMPARE(nlohmann::json::parse(written(TableFormat::NestedJson, {}, TableRows::Leaves))["rows"],
                 nlohmann::json::array());
    }
    void leavesHaveTheirKeysByName() {
        const auto leaves = std::vector<Row>{rows()[3], rows()[5]};
        const auto json = nlohmann::json::parse(written(TableFormat::NestedJson, leaves, TableRows::Leaves));
        QCOMPARE(json["rows"].size(), std::size_t{2});
        QCOMPARE(json["rows"][0]["keys"], nlohmann::json({{"Process", "a, \"b\".exe (1)"},
                                                          {"Stack", {"n.dll!+0x10", "a.exe!+0x20"}},
                                                          {"Handle", "0x1d0000"}}));
        QCOMPARE(json["rows"][1]["keys"]["Stack"], nlohmann::json::array());
        QVERIFY(json["rows"][1]["keys"]["Handle"].is_null());
        QCOMPARE(json["health"].size(), std::size_t{2});
    }
    void everyLineOfNdjsonCanBeReadAlone() {
        const auto lines = QString::fromStdString(written(TableFormat::JsonLines, rows())).split('\n');
        QCOMPARE(lines.size(), 6 + 3); // a head, the rows, health, and nothing after the last line end
        QVERIFY(lines[0].startsWith("{\"schema_version\":1,\"table\":\"heap\",\"interval\":{"));
        const auto head = nlohmann::json::parse(lines[0].toStdString());
        QCOMPARE(head["keys"], nlohmann::json({"Process", "Stack", "Handle"}));
        QCOMPARE(head["columns"], nlohmann::json({"Count", "FreeTime"}));
        const auto first = nlohmann::json::parse(lines[1].toStdString());
        QCOMPARE(first["path"], nlohmann::json::array({"a, \"b\".exe (1)"}));
        QCOMPARE(first["column"], nlohmann::json("Process"));
        QCOMPARE(first["level"], nlohmann::json(1));
        QCOMPARE(first["leaf"], nlohmann::json(false));
        QCOMPARE(first["values"], nlohmann::json({{"Count", 12}, {"FreeTime", 1.1}}));
        const auto deepest = nlohmann::json::parse(lines[4].toStdString());
        QCOMPARE(deepest["path"], nlohmann::json({"a, \"b\".exe (1)", "n.dll!+0x10", "a.exe!+0x20", "0x1d0000"}));
        QCOMPARE(deepest["level"], nlohmann::json(4));
        QVERIFY(lines.last().isEmpty());
        QCOMPARE(nlohmann::json::parse(lines[7].toStdString())["health"].size(), std::size_t{2});
    }
    void everyLeafOfNdjsonIsOne() {
        const std::vector<Row> leaves{rows()[5], rows()[3]}; // a deeper one after a flat one
        std::istringstream lines(written(TableFormat::JsonLines, leaves, TableRows::Leaves));
        int count = 0;
        for (std::string line; std::getline(lines, line);) {
            const auto json = nlohmann::json::parse(line);
            if (json.contains("path")) ++count;
            if (json.contains("path")) QVERIFY(json["leaf"].get<bool>());
        }
        QCOMPARE(count, 2);
    }
    void textOfLeavesHasTheWholePathInEveryLine() {
        const std::vector<Row> leaves{rows()[3], rows()[5]};
        QCOMPARE(QString::fromStdString(written(TableFormat::Text, leaves, TableRows::Leaves)),
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                         "Process / Stack / Handle                             Count  FreeTime\n"
                         "a, \"b\".exe (1) / n.dll!+0x10;a.exe!+0x20 / 0x1d0000     11          \n"
                         "b.exe (2)                                                1          \n"));
    }
    void textOfLeavesMarksNoForks() {
        auto byStack = query();
        byStack.keys = {Column::Stack};
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Text, TableRows::Leaves, byStack, out);
        writer->begin();
        for (const auto* frame : {"a.exe!f", "a.exe!g"})
            writer->write({{{Column::Stack, frame}}, {CellValue(std::int64_t{1}), {}}});
        writer->end({});
        QVERIFY2(out.str().find("|-") == std::string::npos, out.str().c_str());
    }
    void leavesOfNdjsonAddUpToTheTotal() {
        std::istringstream lines(written(TableFormat::JsonLines, rows()));
        std::int64_t all = 0;
        for (std::string line; std::getline(lines, line);) {
            const auto json = nlohmann::json::parse(line);
            if (json.value("leaf", false)) all += json["values"]["Count"].get<std::int64_t>();
        }
        QCOMPARE(all, std::int64_t{13});
    }
    void ndjsonOfATableWithoutRowsIsItsHeadAndItsHealth() {
        QCOMPARE(QString::fromStdString(written(TableFormat::JsonLines, {})).count('\n'), 2);
    }
    void formatsAreKnownByTheirWords() {
        for (const auto& format : tableFormats())
            QCOMPARE(parseTableFormat(format.word), format.format);
        QCOMPARE(parseTableFormat("xml"), std::nullopt);
    }
};
HIGHWATER_TEST(TableFormatTest);
#include "table_format_test.moc"
