#include "core/export/timeline_writer.h"
#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;

class TimelineWriterTest : public QObject {
    Q_OBJECT

    static analysis::Timeline timeline() {
        analysis::Timeline timeline;
        timeline.interval = {TraceTime{0}, TraceTime{2'200'000'000}};
        timeline.starts = {TraceTime{0}, TraceTime{1'100'000'000}};
        timeline.series.resize(2);
        timeline.series[0].name = "a, b.exe (1)";
        timeline.series[0].peaks = {10, 20};
        timeline.series[1].name = "c\x1B.exe (2)";
        timeline.series[1].peaks = {0, 5};
        return timeline;
    }

    static HealthReport health() {
        HealthReport health;
        health.counts[static_cast<std::size_t>(Loss::FreesLost)] = 1;
        health.bytes[static_cast<std::size_t>(Loss::FreesLost)] = 64;
        health.counts[static_cast<std::size_t>(Loss::ProcessesUnknown)] = 1;
        return health;
    }
    static nlohmann::json headOf(const analysis::TimelineQuery& query) {
        std::ostringstream out;
        writeTimelineJson(query, timeline(), {}, out);
        return nlohmann::json::parse(out.str());
    }

  private slots:
    void jsonSaysWhatItsNumbersAre() {
        analysis::TimelineQuery query;
        query.table = analysis::Table::Heap;
        QCOMPARE(headOf(query)["table"], nlohmann::json("heap"));
        QCOMPARE(headOf(query)["metric"], nlohmann::json("peak outstanding"));
        QCOMPARE(headOf(query)["unit"], nlohmann::json("bytes"));
        query.table = analysis::Table::Frees;
        QCOMPARE(headOf(query)["metric"], nlohmann::json("released"));
        query.measure = analysis::TimelineMeasure::Count;
        QCOMPARE(headOf(query)["unit"], nlohmann::json("rows"));
    }
    void csvHasAColumnPerSeries() {
        std::ostringstream out;
        writeTimelineCsv(timeline(), out);
        QCOMPARE(QString::fromStdString(out.str()), QString::fromUtf8("start_s,\"a, b.exe (1)\",c\xEF\xBF\xBD.exe (2)\n"
                                                                      "0.0,10,0\n"
                                                                      "1.1,20,5\n"));
    }
    void jsonHasPointsPerSeries() {
        std::ostringstream out;
        writeTimelineJson({}, timeline(), health(), out);
        const auto json = nlohmann::json::parse(out.str());
        QCOMPARE(json["schema_version"], nlohmann::json(1));
        QCOMPARE(json["interval"]["end"], nlohmann::json(2.2));
        QCOMPARE(json["health"][0]["id"], nlohmann::json("frees_lost"));
        QCOMPARE(json["health"][0]["severity"], nlohmann::json("bound"));
        QCOMPARE(json["health"][0]["most_bytes"], nlohmann::json(64));
        QVERIFY(!json["health"][1].contains("most_bytes"));
        QCOMPARE(json["series"].size(), std::size_t{2});
        QCOMPARE(json["series"][0]["points"], nlohmann::json::parse("[[0.0,10],[1.1,20]]"));
        QVERIFY(out.str().find('\x1B') == std::string::npos);
    }
    void gapsAreNotZeros() {
        analysis::ResidentTimeline resident;
        resident.interval = {TraceTime{0}, TraceTime{4'000'000'000}};
        resident.starts = {TraceTime{0}, TraceTime{2'500'000'000}};
        resident.series = {{"a (1)", {{1, ~ByteCount{0}}}}, {"b (2)", {{0, 4096}, {1, 0}}}};
        std::ostringstream csv, out;
        writeResidentTimelineCsv(resident, csv);
        QCOMPARE(csv.str(), std::string("start_s,a (1),b (2)\n0.0,,4096\n2.5,18446744073709551615,0\n"));
        writeResidentTimelineJson(resident, {}, out);
        const auto json = nlohmann::json::parse(out.str());
        QCOMPARE(json["table"], nlohmann::json("resident"));
        QCOMPARE(json["series"][0]["points"], nlohmann::json::parse("[[2.5,18446744073709551615]]"));
        QCOMPARE(json["series"][1]["points"], nlohmann::json::parse("[[0.0,4096],[2.5,0]]"));
    }
    void aTimelineWithoutSeriesIsWhole() {
        auto empty = timeline();
        empty.series.clear();
        std::ostringstream json, csv;
        writeTimelineJson({}, empty, {}, json);
        writeTimelineCsv(empty, csv);
        QCOMPARE(nlohmann::json::parse(json.str())["series"], nlohmann::json::array());
        QCOMPARE(csv.str(), std::string("start_s\n0.0\n1.1\n"));
    }
};
HIGHWATER_TEST(TimelineWriterTest);
#include "timeline_writer_test.moc"
