#include "app/tools/fleet/command/answer_lines.h"
#include "app/tools/fleet/command/fleet_answers.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>
#include <sstream>

using namespace highwater;
using namespace highwater::cli;

namespace {

class FleetAnswersTest : public QObject {
    Q_OBJECT

    static std::string written(std::string_view format, const std::vector<fleet::SlopeRow>& rows) {
        std::ostringstream out;
        FleetAnswers(format, out).write(rows);
        return out.str();
    }

  private slots:
    void columnsLineUp() {
        std::ostringstream out;
        writeText({{{"Name", "name"}, {"Bytes", "bytes"}},
                   {{textCell("\xC3\xA9t\xC3\xA9"), bytesCell(2048)}, {textCell("a longer one"), bytesCell(-7)}}},
                  out);
        QCOMPARE(out.str(), std::string("Name           Bytes\n"
                                        "\xC3\xA9t\xC3\xA9           2.0 KB\n"
                                        "a longer one    -7 B\n"));
    }
    void extremesAreNumbers() {
        QCOMPARE(bytesCell(std::numeric_limits<std::int64_t>::min()).plain, std::string("-9223372036854775808"));
        QCOMPARE(numberCell(std::numeric_limits<std::int64_t>::min()).text, std::string("-9,223,372,036,854,775,808"));
        QCOMPARE(timeCell(0).plain, std::string("1970-01-01 00:00:00"));
    }
    /// Names come from traces: they can neither control the terminal nor start a new line.
    void namesStayNames() {
        fleet::SlopeRow row;
        row.stack.owner = "app!f\x1b[2J\nrm -rf";
        row.stack.process = "a,\"b\"";
        row.stack.frames = {row.stack.owner};
        const auto text = written("text", {row});
        QVERIFY(text.find('\x1b') == std::string::npos);
        QVERIFY(text.find("\nrm") == std::string::npos);
        const auto csv = written("csv", {row});
        QVERIFY(csv.find("\"a,\"\"b\"\"\"") != std::string::npos);
        QVERIFY(csv.find('\x1b') == std::string::npos);
    }
    void unknownMemoryIsNotZero() {
        std::vector<fleet::RunRow> runs(3);
        runs[1].facts.resident = {{"a", 2048, std::nullopt}, {"b", 1024, std::nullopt}};
        runs[2].facts.resident = {{"a", 0, 1024}, {"b", 0, 3072}};
        const auto written = [&](std::string_view format) {
            std::ostringstream out;
            FleetAnswers(format, out).write(runs);
            return out.str();
        };
        const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
        const auto json = written("json");
        QVERIFY2(has(json, "\"rss_peak\":null,\"held\":null"), json.c_str());
        QVERIFY(has(json, "\"rss_peak\":2048,\"held\":null") && has(json, "\"rss_peak\":0,\"held\":4096"));
        const auto csv = written("csv");
        QVERIFY2(has(csv, ",inuse_space,rss_peak,held,") && has(csv, ",0,,,0,") && has(csv, ",0,2048,,0,"),
                 csv.c_str());
        const auto text = written("text");
        QVERIFY2(has(text, " 0 B   unknown  unknown ") && has(text, " 2.0 KB  unknown ") && has(text, " 0 B   4.0 KB "),
                 text.c_str());
    }
    void csvKeepsLinesInQuotes() {
        std::ostringstream out;
        writeCsv({{{"Build", "build"}}, {{textCell("\xC3\xA4\nb\x1b\"")}}}, out);
        QVERIFY2(out.str().starts_with("build\n\"\xC3\xA4\nb"), out.str().c_str());
        QVERIFY(out.str().ends_with("\"\"\"\n"));
        QVERIFY(out.str().find('\x1b') == std::string::npos);
    }
    void csvHasStacksAsJsonHas() {
        fleet::SlopeRow row;
        row.stack.frames = {"inner", "outer"};
        QVERIFY(written("csv", {row}).ends_with(",inner;outer\n"));
    }
    void withoutRowsThereAreTitlesAlone() {
        QCOMPARE(written("csv", {}), std::string("median,p95,machines,process,table,owner,key,stack\n"));
        QVERIFY(written("json", {}).find("\"rows\":[]") != std::string::npos);
    }
};

HIGHWATER_TEST(FleetAnswersTest);

} // namespace

#include "fleet_answers_test.moc"
