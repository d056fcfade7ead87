#include "core/export/json_text.h"
#include "core/export/timeline_writer.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

using namespace highwater;
using namespace highwater::exports;

namespace {

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

/// Nanoseconds as seconds, by counting digits, without the printer's arithmetic.
std::string plainSeconds(std::int64_t nanoseconds) {
    auto digits = std::to_string(nanoseconds);
    const std::string sign = nanoseconds < 0 ? "-" : "";
    digits.erase(0, sign.size());
    while (digits.size() < 10)
        digits.insert(0, "0");
    digits.insert(digits.size() - 9, ".");
    while (digits.ends_with("0") && !digits.ends_with(".0"))
        digits.pop_back();
    return sign + digits;
}

} // namespace

class JsonTextTest : public QObject {
    Q_OBJECT
  private slots:
    void timesAreExactNanoseconds_data() {
        QTest::addColumn<qlonglong>("nanoseconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("start") << qlonglong(0) << "0.0";
        QTest::newRow("whole") << qlonglong(2'000'000'000) << "2.0";
        QTest::newRow("noise of a double") << qlonglong(2'996'138'996) << "2.996138996";
        QTest::newRow("one nanosecond") << qlonglong(1) << "0.000000001";
        QTest::newRow("negative") << qlonglong(-1) << "-0.000000001";
        QTest::newRow("a third of a year") << qlonglong(10'000'000'123'456'789) << "10000000.123456789";
        QTest::newRow("longest") << qlonglong(kMost - 1) << "9223372036.854775806";
    }
    void timesAreExactNanoseconds() {
        QFETCH(qlonglong, nanoseconds);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(dumped(secondsJson(TraceTime{nanoseconds}))), text);
    }
    void anyTimeIsExact() {
        std::mt19937_64 random(7);
        for (int i = 0; i < 20'000; ++i) {
            const auto nanoseconds = static_cast<std::int64_t>(random() >> (1 + random() % 62)) - 1;
            QCOMPARE(dumped(secondsJson(TraceTime{nanoseconds})), plainSeconds(nanoseconds));
        }
    }
    void durationsOfTablesAreExact() {
        const analysis::ValueColumn column{analysis::Column::LifeTime};
        QCOMPARE(dumped(cellJson(column, std::int64_t{2'996'138'996})), std::string("2.996138996"));
        QCOMPARE(dumped(cellJson(column, TraceTime{2'996'138'996})), std::string("2.996138996"));
    }
    void slicesOfATimelineHaveNoNoise() {
        analysis::Timeline timeline;
        timeline.interval = {TraceTime{0}, TraceTime{2'996'138'997}};
        timeline.series.resize(1);
        for (std::int64_t i = 0; i < 1000; ++i) {
            timeline.starts.push_back(TraceTime{2'996'138'997 * i / 1000});
            timeline.series[0].peaks.push_back(i);
        }
        std::ostringstream json, csv;
        writeTimelineJson({}, timeline, {}, json);
        writeTimelineCsv(timeline, csv);
        for (const auto start : timeline.starts) {
            QVERIFY(json.str().find('[' + plainSeconds(start.ns) + ',') != std::string::npos);
            QVERIFY(csv.str().find('\n' + plainSeconds(start.ns) + ',') != std::string::npos);
        }
        QVERIFY(json.str().find("\"end\":2.996138997}") != std::string::npos);
    }
    void noTimeIsNull() {
        QCOMPARE(dumped(secondsJson(kNever)), std::string("null"));
        QCOMPARE(dumped(secondsJson(kBeforeTrace)), std::string("null"));
        QVERIFY(!timeFromJson(secondsJson(kNever)));
        QCOMPARE(timeFromJson(secondsJson(TraceTime{-5})), std::optional(TraceTime{-5}));
    }
    void everythingElseIsPrintedAsBefore() {
        const Json json{{"none", nullptr},
                        {"yes", true},
                        {"text", "a\"b\x1B\xC3\xA4"},
                        {"most", std::numeric_limits<std::uint64_t>::max()},
                        {"least", std::numeric_limits<std::int64_t>::min()},
                        {"half", 0.5},
                        {"whole", 3.0},
                        {"tiny", 1e-20},
                        {"huge", 1e30},
                        {"nan", std::nan("")},
                        {"lists", {Json::array(), Json::object(), {1, {2, 3}}, {{"a", {{"b", 1}}}}}}};
        for (const int indent : {-1, 0, 2})
            QCOMPARE(dumped(json, indent), json.dump(indent, ' ', true, Json::error_handler_t::replace));
    }
    void textThatIsNoUtf8IsMadeSo() { QCOMPARE(dumped(Json("a\xFF")), std::string("\"a\\ufffd\"")); }
};

HIGHWATER_TEST(JsonTextTest);
#include "json_text_test.moc"
