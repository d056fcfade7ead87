#include "core/export/difference/difference_writer.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/difference/named_labels.h"
#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using namespace highwater::tests;
using analysis::Column, analysis::Difference, analysis::DifferenceQuery, analysis::Table;

namespace {

using Parsed = nlohmann::json;

const std::map<std::string, std::vector<std::string>> kFunctions{
    {"main", {"main"}}, {"a", {"alpha"}}, {"b", {"be\"ta\"\n"}}, {"c", {"gamma"}}};

analysis::ComparedTrace comparedBlocks(const std::vector<BlockOfTest>& blocks) {
    const auto trace = traceOfBlocks(blocks);
    return {trace, namedLabels(*trace, kFunctions), {TraceTime{0}, TraceTime{1000}}, {}};
}

/// main;a keeps 10, and then 40; main;b is new; main;c is gone.
DifferenceQuery smallQuestion() {
    DifferenceQuery query;
    query.before = {comparedBlocks({{100, 0, 10, "main;a"}, {110, 120, 4, "main;c"}})};
    query.after = {comparedBlocks({{100, 0, 10, "main;a"}, {200, 0, 30, "main;a"}, {300, 0, 5, "main;b"}})};
    query.isByOwner = true;
    return query;
}

/// The output for a query on these files.
std::string written(TableFormat format, const DifferenceQuery& query,
                    std::vector<ComparedFile> before = {{"a.etl", {}}},
                    std::vector<ComparedFile> after = {{"b.etl", {}}}, TreeLimits limits = {}) {
    const auto difference = Difference::compute(query);
    if (!difference.hasValue()) qFatal("%s", difference.error().message.c_str());
    std::ostringstream out;
    writeDifference(format, {*difference.value(), std::move(before), std::move(after)}, limits, out);
    return out.str();
}

Parsed parsedJson(const DifferenceQuery& query) { return Parsed::parse(written(TableFormat::NestedJson, query)); }

/// before, after, delta, and both per second: the interval is a microsecond.
Parsed changeOf(std::int64_t before, std::int64_t after) {
    return {{"before", before},
            {"after", after},
            {"delta", after - before},
            {"before_per_s", static_cast<double>(before) * 1e6},
            {"after_per_s", static_cast<double>(after) * 1e6}};
}

/// Rows as the lines of NDJSON contain them: path, column, level, leaf, state, values.
void flatten(const Parsed& rows, std::vector<std::string>& path, std::vector<Parsed>& lines) {
    for (const auto& row : rows) {
        path.push_back(row["key"]);
        lines.push_back({{"path", path},
                         {"column", row["column"]},
                         {"level", path.size()},
                         {"leaf", row["rows"].empty()},
                         {"state", row["state"]},
                         {"values", row["values"]}});
        flatten(row["rows"], path, lines);
        path.pop_back();
    }
}

std::vector<Parsed> linesOf(const std::string& ndjson) {
    std::vector<Parsed> lines;
    std::istringstream in(ndjson);
    for (std::string line; std::getline(in, line);)
        lines.push_back(Parsed::parse(line));
    return lines;
}

HealthReport healthThatLacks(std::uint64_t events) {
    HealthReport health;
    health.counts[static_cast<std::size_t>(Loss::EventsLost)] = events;
    return health;
}

} // namespace

/// JSON and NDJSON of a difference, number by number.
class DifferenceJsonTest : public QObject {
    Q_OBJECT
  private slots:
    void theHeadSaysWhatIsCompared() {
        const auto answer = parsedJson(smallQuestion());
        QCOMPARE(answer["schema_version"], Parsed(1));
        QCOMPARE(answer["table"], Parsed("heap"));
        QCOMPARE(answer["decides"], Parsed("Outstanding"));
        QCOMPARE(answer["keys"], Parsed(std::vector<std::string>{"Process", "Stack"}));
        const Parsed before = {
            {"seconds", 1e-6},
            {"traces", Parsed::array({{{"trace", "a.etl"}, {"interval", {{"start", 0.0}, {"end", 1e-6}}}}})}};
        QCOMPARE(answer["before"], before);
        QCOMPARE(answer["after"]["traces"][0]["trace"], Parsed("b.etl"));
    }
    void theTotalHasEveryMeasure() {
        const Parsed values = {{"Outstanding", changeOf(10, 45)}, {"Count", changeOf(2, 3)},
                               {"Size", changeOf(14, 45)},        {"Impacting Size", changeOf(10, 45)},
                               {"Peak Size", changeOf(14, 45)},   {"Allocated", changeOf(14, 45)}};
        const Parsed total = {{"state", "grown"}, {"values", values}};
        QCOMPARE(parsedJson(smallQuestion())["total"], total);
    }
    void rowsStandInEachOther() {
        const auto answer = parsedJson(smallQuestion());
        QCOMPARE(answer["rows"].size(), std::size_t{1});
        const auto& process = answer["rows"][0];
        QCOMPARE(process["column"], Parsed("Process"));
        QCOMPARE(process["key"], Parsed("a.exe"));
        QCOMPARE(process["state"], Parsed("grown"));
        const auto& main = process["rows"][0];
        QCOMPARE(main["key"], Parsed("main!main"));
        QCOMPARE(main["column"], Parsed("Stack"));
        std::map<std::string, std::pair<std::string, Parsed>> told;
        for (const auto& row : main["rows"]) {
            told[row["key"]] = {row["state"], row["values"]["Outstanding"]};
            QVERIFY(row["rows"].empty());
        }
        QVERIFY2(told.size() == 3, main.dump().c_str());
        QVERIFY(told["a!alpha"] == std::pair(std::string("grown"), changeOf(10, 40)));
        QVERIFY2(told.contains("b!be\"ta\"\n"), main.dump().c_str());
        QVERIFY(told["b!be\"ta\"\n"] == std::pair(std::string("new"), changeOf(0, 5))); // its original name
        QVERIFY(told["c!gamma"] == std::pair(std::string("gone"), changeOf(0, 0)));
        QCOMPARE(main["rows"][0]["key"], Parsed("a!alpha")); // the largest growth
    }
    void aLineEachSaysTheSame() {
        for (const TreeLimits limits : {TreeLimits{}, TreeLimits{1, 0}, TreeLimits{0, 1}, TreeLimits{2, 2}}) {
            const std::vector<ComparedFile> before{{"a.etl", healthThatLacks(3)}}, after{{"b.etl", {}}};
            auto whole = Parsed::parse(written(TableFormat::NestedJson, smallQuestion(), before, after, limits));
            auto lines = linesOf(written(TableFormat::JsonLines, smallQuestion(), before, after, limits));
            std::vector<Parsed> rows;
            std::vector<std::string> path;
            flatten(whole["rows"], path, rows);
            QVERIFY(!rows.empty());
            QCOMPARE(lines.size(), rows.size() + 2);
            QVERIFY(std::equal(rows.begin(), rows.end(), lines.begin() + 1));
            const Parsed last = {{"health", whole["health"]}};
            QCOMPARE(lines.back(), last);
            whole.erase("rows");
            whole.erase("health");
            QCOMPARE(lines.front(), whole);
        }
    }
    void whatTopLeavesOutIsOneRow() {
        const auto answer = Parsed::parse(
            written(TableFormat::NestedJson, smallQuestion(), {{"a.etl", {}}}, {{"b.etl", {}}}, TreeLimits{0, 1}));
        const auto& rows = answer["rows"][0]["rows"][0]["rows"];
        QCOMPARE(rows.size(), std::size_t{2});
        const auto& rest = rows[1];
        QCOMPARE(rest["key"], Parsed("(2 more)"));
        QVERIFY(rest["state"].is_null() && rest["values"]["Peak Size"].is_null());
        QCOMPARE(rest["values"]["Outstanding"], changeOf(0, 5));
        QCOMPARE(rest["values"]["Size"], changeOf(4, 5));
    }
    void ownersAreThoseThatChanged() {
        const auto owners = parsedJson(smallQuestion())["owners"];
        QCOMPARE(owners.size(), std::size_t{3});
        const Parsed first = {{"process", "a.exe"}, {"owner", "a!alpha"}, {"state", "grown"},
                              {"before", 10},       {"after", 40},        {"delta", 30}};
        QCOMPARE(owners[0], first);
        auto same = smallQuestion();
        same.after = same.before;
        QVERIFY(parsedJson(same)["owners"].empty());
        auto notWanted = smallQuestion();
        notWanted.isByOwner = false;
        QVERIFY(parsedJson(notWanted)["owners"].empty());
    }
    void noMoreThanAHundredOwners() {
        std::vector<BlockOfTest> blocks;
        for (int i = 0; i < 130; ++i)
            blocks.push_back({10 + i, 0, static_cast<ByteCount>(1 + i), "main;m" + std::to_string(i)});
        auto query = smallQuestion();
        query.after = {comparedBlocks(blocks)};
        const auto owners = parsedJson(query)["owners"];
        QCOMPARE(owners.size(), std::size_t{100});
        QCOMPARE(owners[0]["delta"], Parsed(130)); // the largest growth
    }
    void healthIsOfEachFileOnceAndOfTheComparison() {
        const auto healthOf = [](const std::vector<ComparedFile>& before, const std::vector<ComparedFile>& after) {
            return Parsed::parse(written(TableFormat::NestedJson, smallQuestion(), before, after))["health"];
        };
        const ComparedFile lossy{"a.etl", healthThatLacks(3)};
        const auto apart = healthOf({lossy}, {{"b.etl", {}}});
        QCOMPARE(apart.size(), std::size_t{2});
        QCOMPARE(apart[0]["id"], Parsed("events_lost"));
        QCOMPARE(apart[0]["count"], Parsed(3));
        QCOMPARE(apart[0]["side"], Parsed("before"));
        QCOMPARE(apart[0]["trace"], Parsed("a.etl"));
        QCOMPARE(apart[1]["id"], Parsed("noise_unknown"));
        QCOMPARE(apart[1]["severity"], Parsed("note"));
        QVERIFY(!apart[1].contains("side") && !apart[1].contains("trace"));
        QCOMPARE(healthOf({{"b.etl", {}}}, {lossy})[0]["side"], Parsed("after"));
        const auto both = healthOf({lossy}, {lossy});
        QCOMPARE(both.size(), std::size_t{2});
        QCOMPARE(both[0]["side"], Parsed("both"));
    }
    void snapshotsAreInstants() {
        auto query = smallQuestion();
        query.table = Table::Snapshot;
        query.after = query.before;
        const auto instants =
            std::make_shared<const std::vector<TraceTime>>(std::vector{TraceTime{50}, TraceTime{150}});
        query.before[0].instances = {instants, 1};
        query.after[0].instances = {instants, 2};
        const auto answer = parsedJson(query);
        QVERIFY(answer["before"]["seconds"].is_null());
        QCOMPARE(answer["before"]["traces"][0]["snapshot"], Parsed(1));
        QCOMPARE(answer["before"]["traces"][0]["time_s"], Parsed(5e-8));
        QCOMPARE(answer["after"]["traces"][0]["time_s"], Parsed(1.5e-7));
        const auto& values = answer["total"]["values"];
        QCOMPARE(values["Outstanding"]["delta"], Parsed(10));
        QVERIFY(values["Outstanding"]["before_per_s"].is_null() && values["Outstanding"]["after_per_s"].is_null());
        QVERIFY(values["Impacting Size"].is_null() && values["Allocated"].is_null());
    }
    void ofTheTimelineEndsAreNull() {
        auto query = smallQuestion();
        query.after[0].interval.end = TraceTime{500};
        const auto difference = Difference::compute(query).value();
        const auto timeline = difference->timeline(std::array{Difference::kRoot}, 4);
        QVERIFY(timeline.hasValue());
        std::ostringstream out;
        writeDifferenceTimeline(TableFormat::NestedJson, {*difference, {{"a.etl", {}}}, {{"b.etl", {}}}},
                                timeline.value(), out);
        const auto answer = Parsed::parse(out.str());
        QCOMPARE(answer["slices"].size(), std::size_t{4});
        const Parsed first = {{"start", 0.0}, {"before", 14}, {"after", 40}, {"delta", 26}};
        QCOMPARE(answer["slices"][0], first);
        QVERIFY(answer["slices"][3]["after"].is_null() && answer["slices"][3]["delta"].is_null());
        QCOMPARE(answer["slices"][3]["before"], Parsed(10));
        const Parsed end = {{"before", 10}, {"after", 45}, {"delta", 35}};
        QCOMPARE(answer["at_end"], end);
    }
};

HIGHWATER_TEST(DifferenceJsonTest);
#include "difference_json_test.moc"
