#include "app/cli/console.h"
#include "app/cli/table_output.h"
#include "tests/support/test_registry.h"

#include <QFloat16> // QCOMPARE asks whether JSON converts to it
#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::cli;
using analysis::CellValue, analysis::Column, analysis::Table;

/// How answers are printed, on a small answer made by hand.
class TableOutputTest : public QObject {
    Q_OBJECT

    static TreeRow row(std::uint32_t level, Column column, bool hasSiblings, std::string key, std::int64_t count,
                       CellValue end) {
        return {level, column, hasSiblings, std::move(key), {count, std::move(end)}};
    }
    static TableAnswer answer() {
        TableAnswer answer;
        answer.table = Table::Heap;
        answer.interval = {TraceTime{0}, TraceTime{2'200'000'000}};
        answer.keys = {Column::Process, Column::Stack, Column::Handle};
        answer.columns = {Column::Count, Column::EndTime};
        answer.rows = {row(1, Column::Process, true, "a, \"b\".exe (1)", 12, TraceTime{1'100'000'000}),
                       row(2, Column::Stack, false, "n.dll!+0x10", 12, {}),
                       row(3, Column::Stack, true, "a.exe!+0x20", 11, {}),
                       row(4, Column::Handle, false, "0x1d0000", 11, {}),
                       row(3, Column::Stack, true, "a.exe!+0x30", 1, {}),
                       row(1, Column::Process, true, "b.exe (2)", 1, {})};
        answer.health.counts[static_cast<std::size_t>(Loss::UnmatchedFrees)] = 3;
        answer.health.remarks = {"A remark."};
        return answer;
    }
    template <typename Print>
    static std::string printed(Print print) {
        std::ostringstream out;
        print(answer(), out);
        return out.str();
    }

  private slots:
    void textMarksForksAndIndentsNothingElseOfAStack() {
        QCOMPARE(QString::fromStdString(printed(printTableText)),
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                         "Process / Stack / Handle  Count  FreeTime\n"
                         "a, \"b\".exe (1)               12       1.1\n"
                         "  n.dll!+0x10                12          \n"
                         "  |- a.exe!+0x20             11          \n"
                         "       0x1d0000              11          \n"
                         "  |- a.exe!+0x30              1          \n"
                         "b.exe (2)                     1          \n"));
    }
    /// Names come from traces: what a terminal would obey is not printed.
    void textCannotSteerTheTerminal() {
        auto hostile = answer();
        hostile.rows[0].key = "a\x1B[2J\nb.exe (1)\xC2\x9B";
        std::ostringstream out;
        printTableText(hostile, out);
        printTableCsv(hostile, out);
        printTableJson(hostile, out);
        QVERIFY(out.str().find("\xC2\x9B") == std::string::npos);
        QVERIFY(out.str().find('\x1B') == std::string::npos);
        QVERIFY(out.str().find("a\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                               "b.exe (1)") != std::string::npos);
    }
    void messagesCannotSteerTheTerminal() {
        std::ostringstream answers, messages;
        Console{answers, messages}.say("Process \x1B[2Jx.exe is a fork.\n  second line");
        QCOMPARE(messages.str(),
                 std::string("highwater-cli: Process \xEF\xBF\xBD[2Jx.exe is a fork.\n  second line\n"));
    }
    void csvHasTheWholePathInEveryLine() {
        QCOMPARE(QString::fromStdString(printed(printTableCsv)),
                 QString("Process,Stack,Handle,Count,FreeTime\n"
                         "\"a, \"\"b\"\".exe (1)\",,,12,1.1\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10,,12,\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x20,,11,\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x20,0x1d0000,11,\n"
                         "\"a, \"\"b\"\".exe (1)\",n.dll!+0x10;a.exe!+0x30,,1,\n"
                         "b.exe (2),,,1,\n"));
    }
    void jsonNestsAndNamesLosses() {
        const auto json = nlohmann::json::parse(printed(printTableJson));
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
};
HIGHWATER_TEST(TableOutputTest);
#include "table_output_test.moc"
