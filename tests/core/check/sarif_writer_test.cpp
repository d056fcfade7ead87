#include "core/check/sarif_writer.h"
#include "tests/core/check/made_check.h"
#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <set>
#include <sstream>
#include <string>

using namespace highwater::check;
using namespace highwater::tests;

namespace {

using Json = nlohmann::json;

/// What the schema of SARIF 2.1.0 knows of an object that is written, and what it requires of it.
struct Known {
    std::set<std::string> members;
    std::set<std::string> required;
};

QString wrongIn(const Json& object, const Known& known, const char* what) {
    for (const auto& [name, value] : object.items())
        if (!known.members.contains(name)) return QString("%1 has no member %2").arg(what, name.c_str());
    for (const auto& name : known.required)
        if (!object.contains(name)) return QString("%1 needs %2").arg(what, name.c_str());
    return {};
}

const Known kRun{{"tool", "invocations", "results", "columnKind", "artifacts"}, {"tool"}};
const Known kResult{
    {"ruleId", "ruleIndex", "level", "message", "locations", "stacks", "partialFingerprints", "properties"},
    {"message"}};
const Known kLocation{{"physicalLocation", "logicalLocations", "message"}, {}};
const Known kPhysical{{"artifactLocation", "region"}, {"artifactLocation"}};
const Known kFrame{{"location", "module"}, {}};

class SarifWriterTest : public QObject {
    Q_OBJECT

    static Json written(const CheckResult& result) {
        std::ostringstream out;
        writeSarif(result, {"ci/budget.txt", {"highwater-cli", "check", "a b.etl"}, {}}, out);
        return Json::parse(out.str());
    }

  private slots:
    void isWhatTheSchemaAllows() {
        const auto json = written(madeResult());
        QCOMPARE(json["version"], Json("2.1.0"));
        const auto& run = json["runs"][0];
        QCOMPARE(wrongIn(run, kRun, "run"), QString());
        QCOMPARE(run["tool"]["driver"]["name"], Json("Highwater"));
        QVERIFY(run["invocations"][0].contains("executionSuccessful"));
        for (const auto& result : run["results"]) {
            QCOMPARE(wrongIn(result, kResult, "result"), QString());
            // The rule that is named is the one at the index.
            QCOMPARE(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
            for (const auto& location : result["locations"]) {
                QCOMPARE(wrongIn(location, kLocation, "location"), QString());
                QCOMPARE(wrongIn(location["physicalLocation"], kPhysical, "physicalLocation"), QString());
            }
            if (!result.contains("stacks")) continue;
            for (const auto& frame : result["stacks"][0]["frames"]) {
                QCOMPARE(wrongIn(frame, kFrame, "stackFrame"), QString());
                QCOMPARE(wrongIn(frame["location"], kLocation, "location"), QString());
            }
        }
    }
    void resultsStandWhereTheyCanBeMended() {
        const auto results = written(madeResult())["runs"][0]["results"];
        QCOMPARE(results.size(), std::size_t{2}); // what is kept is none
        const auto& stack = results[0]["locations"][0]["physicalLocation"];
        QCOMPARE(stack["artifactLocation"]["uri"], Json("file:///C:/src/my%20file.cpp"));
        QCOMPARE(stack["region"]["startLine"], Json(12));
        QCOMPARE(results[0]["stacks"][0]["frames"].size(), std::size_t{3});
        QCOMPARE(results[0]["partialFingerprints"]["stackKey/v1"], Json("00000000000000010000000000000002"));
        const auto& budget = results[1]["locations"][0]["physicalLocation"];
        QCOMPARE(budget["artifactLocation"]["uri"], Json("ci/budget.txt"));
        QCOMPARE(budget["region"]["startLine"], Json(3));
    }
    void withoutALineTheTraceIsThePlace() {
        auto result = madeResult();
        result.grown[0].owner.file.clear();
        const auto place = written(result)["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        QCOMPARE(place["artifactLocation"]["uri"], Json("new.etl"));
        QVERIFY(!place.contains("region"));
    }
    void passedIsNoResult() {
        const auto json = written(CheckResult());
        QVERIFY(json["runs"][0]["results"].is_array());
        QVERIFY(json["runs"][0]["results"].empty());
    }
    void uris() {
        QCOMPARE(uriOf("a/b c.cpp"), std::string("a/b%20c.cpp"));
        QCOMPARE(uriOf("/home/\xC3\xA9#.cpp"), std::string("file:///home/%C3%A9%23.cpp"));
        QCOMPARE(uriOf("C:\\a:b"), std::string("file:///C:/a%3Ab"));
        QCOMPARE(uriOf("a:b"), std::string("a%3Ab"));
        QCOMPARE(uriOf(""), std::string());
    }
};

HIGHWATER_TEST(SarifWriterTest);

} // namespace

#include "sarif_writer_test.moc"
