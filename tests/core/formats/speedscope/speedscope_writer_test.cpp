#include "core/formats/speedscope/speedscope_writer.h"

#include "tests/core/analysis/flames/printed_flames.h"
#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <sstream>

using namespace highwater;
using namespace highwater::formats;
using namespace highwater::tests;
using nlohmann::json;

namespace {

json written(const FlameTree& tree, Column measure = Column::Size) {
    std::ostringstream out;
    writeSpeedscope(tree, measure, "Heap \"<a>\"", out);
    return json::parse(out.str(), nullptr, false);
}

bool hasOnly(const json& object, const std::set<std::string>& needed, const std::set<std::string>& allowed) {
    if (!object.is_object()) return false;
    for (const auto& [name, value] : object.items())
        if (!needed.contains(name) && !allowed.contains(name)) return false;
    return std::all_of(needed.begin(), needed.end(), [&](const auto& name) { return object.contains(name); });
}

/// The first violation of speedscope's schema for files with sampled profiles. "": there is none.
std::string schemaViolation(const json& file) {
    if (!hasOnly(file, {"$schema", "shared", "profiles"}, {"name", "activeProfileIndex", "exporter"})) return "file";
    if (file["$schema"] != "https://www.speedscope.app/file-format-schema.json") return "$schema";
    if (!file["name"].is_string() || !file["exporter"].is_string()) return "name";
    if (!hasOnly(file["shared"], {"frames"}, {}) || !file["shared"]["frames"].is_array()) return "shared";
    for (const auto& frame : file["shared"]["frames"])
        if (!hasOnly(frame, {"name"}, {"file", "line", "col"}) || !frame["name"].is_string()) return "frame";
    if (!file["profiles"].is_array() || file["profiles"].empty()) return "profiles";
    if (!file["activeProfileIndex"].is_number_unsigned() || file["activeProfileIndex"] >= file["profiles"].size())
        return "activeProfileIndex";
    for (const auto& profile : file["profiles"]) {
        if (!hasOnly(profile, {"type", "name", "unit", "startValue", "endValue", "samples", "weights"}, {}))
            return "profile";
        if (profile["type"] != "sampled" || !profile["name"].is_string()) return "type";
        const std::set<std::string> units{"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"};
        if (!units.contains(profile["unit"])) return "unit";
        if (!profile["samples"].is_array() || !profile["weights"].is_array()) return "samples";
        if (profile["samples"].size() != profile["weights"].size()) return "weights";
        std::uint64_t sum = 0;
        for (const auto& weight : profile["weights"]) {
            if (!weight.is_number_unsigned() || weight == 0) return "weight";
            sum += weight.get<std::uint64_t>();
        }
        if (profile["startValue"] != 0 || profile["endValue"] != sum) return "endValue";
        for (const auto& stack : profile["samples"]) {
            if (!stack.is_array() || stack.empty()) return "stack";
            for (const auto& frame : stack)
                if (!frame.is_number_unsigned() || frame >= file["shared"]["frames"].size()) return "frame number";
        }
    }
    return {};
}

std::map<std::string, std::uint64_t> stacksIn(const json& file, std::size_t profile) {
    std::map<std::string, std::uint64_t> stacks;
    const auto& of = file["profiles"][profile];
    for (std::size_t i = 0; i < of["samples"].size(); ++i) {
        std::string path;
        for (const auto& frame : of["samples"][i])
            path += (path.empty() ? "" : ";") +
                    file["shared"]["frames"][frame.get<std::size_t>()]["name"].get<std::string>();
        stacks[path] += of["weights"][i].get<std::uint64_t>();
    }
    return stacks;
}

using Stacks = std::map<std::string, std::uint64_t>;

} // namespace

/// Flame graphs for speedscope.
class SpeedscopeWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void stacksStandOnTheirRoot() {
        const auto file = written(flamesOf(threeStacks(), stacksOf(Column::Size)));
        QCOMPARE(schemaViolation(file), std::string());
        QCOMPARE(stacksIn(file, 0),
                 (Stacks{{"a.exe (7);A!+0x1", 10}, {"a.exe (7);A!+0x1;B!+0x1", 60}, {"a.exe (7);A!+0x1;C!+0x1", 30}}));
        QCOMPARE(file["profiles"][0]["unit"], json("bytes"));
        QCOMPARE(file["name"], json("Heap \"<a>\""));
    }
    void rowsHaveNoUnit() {
        const auto file = written(flamesOf(threeStacks(), stacksOf(Column::Count)), Column::Count);
        QCOMPARE(schemaViolation(file), std::string());
        QCOMPARE(file["profiles"][0]["unit"], json("none"));
        QCOMPARE(file["profiles"][0]["endValue"], json(3));
    }
    void aComparisonIsTwoProfiles() {
        auto query = stacksOf(Column::Size, {TraceTime{50}, TraceTime{100}});
        query.before = TimeRange{TraceTime{0}, TraceTime{50}};
        const auto file = written(flamesOf(traceOfBlocks({{10, 15, 20, "A"}, {60, 0, 7, "A;C"}}), query));
        QCOMPARE(schemaViolation(file), std::string());
        QCOMPARE(stacksIn(file, 0), (Stacks{{"a.exe (7);A!+0x1", 20}}));
        QCOMPARE(stacksIn(file, 1), (Stacks{{"a.exe (7);A!+0x1;C!+0x1", 7}}));
        QCOMPARE(file["activeProfileIndex"], json(1));
    }
    void namesCannotBreakIt() {
        auto tree = flamesOf(threeStacks(), stacksOf(Column::Size));
        tree.labels[1].text = "\"];</script>\n\x01\xff";
        const auto file = written(tree);
        QCOMPARE(schemaViolation(file), std::string());
        QVERIFY(file["shared"]["frames"][1]["name"].get<std::string>().starts_with("\"];</script>"));
    }
    void whatStandsTogetherHasAName() {
        auto query = stacksOf(Column::Size);
        query.mostFrames = 2;
        const auto file = written(flamesOf(threeStacks(), query));
        QCOMPARE(schemaViolation(file), std::string());
        QCOMPARE(file["profiles"][0]["endValue"], json(100));
    }
    void nothingIsAnEmptyProfile() {
        const auto file = written(flamesOf(traceOfBlocks({}), stacksOf(Column::Size)));
        QCOMPARE(schemaViolation(file), std::string());
        QCOMPARE(file["profiles"][0]["samples"].size(), std::size_t{0});
    }
};
HIGHWATER_TEST(SpeedscopeWriterTest);
#include "speedscope_writer_test.moc"
