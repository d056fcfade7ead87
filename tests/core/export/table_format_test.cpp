#include "core/export/table_format.h"
#include "tests/support/test_registry.h"

#include <QFloat16> // QCOMPARE asks whether JSON converts to it
#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::CellValue, analysis::Column, analysis::Query, analysis::Table;

/// How tables are written, on a small one made by hand.
class TableFormatTest : public QObject {
    Q_OBJECT

    struct Row {
        std::vector<PathStep> path;
        std::vector<CellValue> values;
    };
    static Query query() {
        Query query;
        query.table = Table::Heap;
        query.interval = {TraceTime{0}, TraceTime{2'200'000'000}};
        query.keys = {Column::Process, Column::Stack, Column::Handle};
        query.columns = {Column::Count, Column::EndTime};
        return query;
    }
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
    static std::string written(TableFormat format, const std::vector<Row>& rows) {
        HealthReport health;
        health.counts[static_cast<std::size_t>(Loss::UnmatchedFrees)] = 3;
        health.remarks = {"A remark."};
        std::ostringstream out;
        const auto writer = makeTableWriter(format, query(), out);
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
                         "Process / Stack / Handle  Count  FreeTime\n"
                         "a, \"b\".exe (1)               12       1.1\n"
                         "  n.dll!+0x10                12          \n"
                         "  |- a.exe!+0x20             11          \n"
                         "       0x1d0000              11          \n"
                         "  |- a.exe!+0x30              1          \n"
                         "b.exe (2)                     1          \n"));
    }
    void textOfATableWithoutRowsHasItsTitles() {
        QCOMPARE(QString::fromStdString(written(TableFormat::Text, {})),
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                         "Process / Stack / Handle  Count  FreeTime\n"));
    }
    /// Names come from traces: what a terminal would obey is not printed.
    void nothingCanSteerTheTerminal() {
        const auto hostile = rows("a\x1B[2J\nb.exe (1)\xC2\x9B");
        for (const auto format : {TableFormat::Text, TableFormat::Csv, TableFormat::JsonTree, TableFormat::JsonLeaves}) {
            const auto text = written(format, hostile);
            QVERIFY(text.find("\xC2\x9B") == std::string::npos);
            QVERIFY(text.find('\x1B') == std::string::npos);
        }
        QVERIFY(written(TableFormat::Csv, hostile)
                    .find("a\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                          "b.exe (1)") != std::string::npos);
    }
    void csvHasTheWholePathInEveryLine() {
        QCOMPARE(QString::fromStdString(written(TableFormat::Csv, rows())),
                 QString("Process,Stack,Handle,Count,FreeTime\n"
                         "\"a, \"\"b\"\".exe (1)\",,,12,1.1\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10,,12,\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x20,,11,\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x20,0x1d0000,11,\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x30,,1,\n"
                         "b.exe (2),,,1,\n"));
    }
    void jsonNestsAndNamesLosses() {
        const auto json = nlohmann::json::parse(written(TableFormat::JsonTree, rows()));
        QCOMPARE(json["table"], nlohmann::json("heap"));
        QCOMPARE(json["interval"]["end"], nlohmann::json(2.2));
        QCOMPARE(json["columns"], nlohmann::json({"Count", "FreeTime"}));
        QCOMPARE(json["rows"].size(), std::size_t{2});
        const auto& first = json["rows"][0];
        QCOMPARE(first["key"], nlohmann::json("a, \"b\".exe (1)"));
        QCOMPARE(first["values"], nlohmann::json({{"Count", 12}, {"FreeTime", 1.1}}));
        QCOMPARE(first["rows"][0]["rows"].size(), std::size_t{2});
        QCOMPARE(first["rows"][0]["rows"][0]["rows"][0]["column"], nlohmann::json("Handle"));
        QVERIFY(json["rows"][1]["values"]["FreeTime"].is_null());
        QCOMPARE(json["health"],
                 nlohmann::json::parse(R"([{"what":"unmatched frees","count":3},{"what":"A remark.","count":1}])"));
    }
    void jsonOfATableWithoutRowsIsWhole() {
        QCOMPARE(nlohmann::json::parse(written(TableFormat::JsonTree, {}))["rows"], nlohmann::json::array());
        QCOMPARE(nlohmann::json::parse(written(TableFormat::JsonLeaves, {}))["rows"], nlohmann::json::array());
    }
    void leavesHaveTheirKeysByName() {
        const auto leaves = std::vector<Row>{rows()[3], rows()[5]};
        const auto json = nlohmann::json::parse(written(TableFormat::JsonLeaves, leaves));
        QCOMPARE(json["rows"].size(), std::size_t{2});
        QCOMPARE(json["rows"][0]["keys"], nlohmann::json({{"Process", "a, \"b\".exe (1)"},
                                                          {"Stack", {"n.dll!+0x10", "a.exe!+0x20"}},
                                                          {"Handle", "0x1d0000"}}));
        QCOMPARE(json["rows"][1]["keys"]["Stack"], nlohmann::json::array());
        QVERIFY(json["rows"][1]["keys"]["Handle"].is_null());
        QCOMPARE(json["health"].size(), std::size_t{2});
    }
};
HIGHWATER_TEST(TableFormatTest);
#include "table_format_test.moc"
