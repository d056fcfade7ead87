#include "core/check/sarif_writer.h"
#include "tests/core/check/made_check.h"
#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

using namespace highwater::check;
using namespace highwater::tests;

namespace {

using Json = nlohmann::json;

/// The SARIF 2.1.0 schema for the values that are written.
struct Shape;
using Members = std::map<std::string, std::shared_ptr<const Shape>>;
struct Shape {
    std::string what;
    std::function<bool(const Json&)> holds;
    Members members{};                    ///< for objects: no other members are allowed
    std::set<std::string> required{};     ///< names of required members
    std::shared_ptr<const Shape> every{}; ///< for arrays, or for objects with any names: the shape of the values
};
using AnyShape = std::shared_ptr<const Shape>;

AnyShape object(std::string what, Members members, std::set<std::string> required) {
    return std::make_shared<Shape>(Shape{std::move(what), [](const Json& json) { return json.is_object(); },
                                         std::move(members), std::move(required)});
}
AnyShape arrayOf(AnyShape element) {
    return std::make_shared<Shape>(
        Shape{"array of " + element->what, [](const Json& json) { return json.is_array(); }, {}, {}, element});
}
/// An array without equal elements.
AnyShape setOf(AnyShape element) {
    auto shape = *arrayOf(std::move(element));
    shape.holds = [](const Json& json) {
        return json.is_array() && std::set<Json>(json.begin(), json.end()).size() == json.size();
    };
    return std::make_shared<Shape>(std::move(shape));
}
AnyShape texts() {
    static const auto kShape =
        std::make_shared<Shape>(Shape{"text", [](const Json& json) { return json.is_string(); }});
    return kShape;
}
AnyShape wordOf(std::set<std::string> words) {
    return std::make_shared<Shape>(Shape{
        "word", [words](const Json& json) { return json.is_string() && words.contains(json.get<std::string>()); }});
}
AnyShape numberFrom(std::int64_t least) {
    return std::make_shared<Shape>(Shape{
        "number", [least](const Json& json) { return json.is_number_integer() && json.get<std::int64_t>() >= least; }});
}
AnyShape uris() {
    static const auto kShape = std::make_shared<Shape>(
        Shape{"uri", [](const Json& json) {
                  // RFC 3986: the characters of a reference, and the digits after a %.
                  static const std::regex kUri(
                      "([A-Za-z][A-Za-z0-9+.-]*:)?([A-Za-z0-9._~:/?#@!$&'()*+,;=-]|\\[|\\]|%[0-9A-F]{2})*");
                  return json.is_string() && std::regex_match(json.get<std::string>(), kUri);
              }});
    return kShape;
}
/// For texts with placeholders in braces; doubled braces are literal.
AnyShape messages() {
    static const auto kText = std::make_shared<Shape>(Shape{
        "text of a message", [](const Json& json) {
            return json.is_string() && std::regex_match(json.get<std::string>(), std::regex("([^{}]|\\{\\{|\\}\\})*"));
        }});
    static const auto kShape = object("message", {{"text", kText}}, {"text"});
    return kShape;
}
AnyShape bag() {
    static const auto kShape =
        std::make_shared<Shape>(Shape{"properties", [](const Json& json) { return json.is_object(); }});
    return kShape;
}
AnyShape namedTexts() {
    return std::make_shared<Shape>(
        Shape{"texts by name", [](const Json& json) { return json.is_object(); }, {}, {}, texts()});
}

AnyShape logs() {
    const auto artifact = object("artifactLocation", {{"uri", uris()}}, {});
    const auto region = object("region", {{"startLine", numberFrom(1)}}, {});
    const auto physical =
        object("physicalLocation", {{"artifactLocation", artifact}, {"region", region}}, {"artifactLocation"});
    const auto logical = object("logicalLocation", {{"fullyQualifiedName", texts()}, {"kind", texts()}}, {});
    const auto location =
        object("location",
               {{"physicalLocation", physical}, {"logicalLocations", setOf(logical)}, {"message", messages()}}, {});
    const auto frame = object("stackFrame", {{"location", location}, {"module", texts()}}, {});
    const auto stack = object("stack", {{"message", messages()}, {"frames", arrayOf(frame)}}, {"frames"});
    const auto level = wordOf({"none", "note", "warning", "error"});
    const auto result = object("result",
                               {{"ruleId", texts()},
                                {"ruleIndex", numberFrom(-1)},
                                {"level", level},
                                {"message", messages()},
                                {"locations", arrayOf(location)},
                                {"stacks", setOf(stack)},
                                {"partialFingerprints", namedTexts()},
                                {"properties", bag()}},
                               {"message"});
    const auto rule =
        object("reportingDescriptor", {{"id", texts()}, {"name", texts()}, {"shortDescription", messages()}}, {"id"});
    const auto driver =
        object("toolComponent", {{"name", texts()}, {"version", texts()}, {"rules", setOf(rule)}}, {"name"});
    const auto note = object("notification", {{"message", messages()}, {"level", level}}, {"message"});
    const auto isBoolean =
        std::make_shared<Shape>(Shape{"boolean", [](const Json& json) { return json.is_boolean(); }});
    const auto invocation = object(
        "invocation",
        {{"commandLine", texts()}, {"executionSuccessful", isBoolean}, {"toolExecutionNotifications", arrayOf(note)}},
        {"executionSuccessful"});
    const auto run = object("run",
                            {{"tool", object("tool", {{"driver", driver}}, {"driver"})},
                             {"invocations", arrayOf(invocation)},
                             {"results", arrayOf(result)},
                             {"columnKind", wordOf({"utf16CodeUnits", "unicodeCodePoints"})}},
                            {"tool"});
    return object("log", {{"$schema", uris()}, {"version", wordOf({"2.1.0"})}, {"runs", arrayOf(run)}},
                  {"version", "runs"});
}

/// The first violation of the schema; empty: there is none.
std::string wrongIn(const Json& json, const Shape& shape, const std::string& at = "log") {
    if (!shape.holds(json)) return at + " is no " + shape.what + ": " + json.dump();
    for (const auto& name : shape.required)
        if (!json.contains(name)) return at + " needs " + name;
    if (json.is_structured() && shape.every) {
        for (const auto& [name, value] : json.items())
            if (auto wrong = wrongIn(value, *shape.every, at + "/" + name); !wrong.empty()) return wrong;
    }
    if (shape.members.empty()) return {};
    for (const auto& [name, value] : json.items()) {
        const auto known = shape.members.find(name);
        if (known == shape.members.end()) return at + " has no member " + name;
        if (auto wrong = wrongIn(value, *known->second, at + "/" + name); !wrong.empty()) return wrong;
    }
    return {};
}

class SarifWriterTest : public QObject {
    Q_OBJECT

    static Json written(const CheckResult& result) {
        std::ostringstream out;
        writeSarif(result, {"ci/budget.txt", {"highwater-cli", "check", "a b.etl"}, {}}, out);
        return Json::parse(out.str());
    }

  private slots:
    void isWhatTheSchemaAllows() {
        auto bare = madeResult();
        bare.grown[0].owner = madeFrame("[unknown]");
        bare.grown[0].owner.module.clear();
        bare.grown[0].frames.clear();
        bare.grown.push_back(madeResult().grown[0]);
        bare.grown[1].frames = {madeFrame("app!a::{lambda#1}::operator()", "/src/{a}[1] \xC3\xA9?#%.cpp", 1),
                                madeFrame("app!a::{lambda#1}::operator()", "C:\\x y\\^.cpp", 0)};
        bare.budgets[0].rule.text = "peak 1KB stack app!{0}*";
        bare.suppressed = {2, 100};
        bare.notes = {"Twice.", "Twice.", "Once with {0} and }."};
        for (const auto& result : {madeResult(), bare, CheckResult()}) {
            const auto json = written(result);
            QCOMPARE(QString::fromStdString(wrongIn(json, *logs())), QString());
            const auto& run = json["runs"][0];
            QCOMPARE(run["tool"]["driver"]["name"], Json("Highwater"));
            // The rule that a result names is the one at its index.
            for (const auto& one : run["results"])
                QCOMPARE(run["tool"]["driver"]["rules"][one["ruleIndex"].get<std::size_t>()]["id"], one["ruleId"]);
        }
    }
    void bracesInMessagesAreThemselves() {
        auto result = madeResult();
        result.budgets[0].rule.text = "peak 1KB stack app!{lambda}";
        const auto message = written(result)["runs"][0]["results"][1]["message"]["text"].get<std::string>();
        QVERIFY2(message.starts_with("peak 1KB stack app!{{lambda}}: "), message.c_str());
    }
    void resultsStandWhereTheyCanBeMended() {
        const auto results = written(madeResult())["runs"][0]["results"];
        QCOMPARE(results.size(), std::size_t{2}); // a kept budget is not a result
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
