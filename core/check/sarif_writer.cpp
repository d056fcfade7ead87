#include "core/check/sarif_writer.h"

#include "core/check/junit_writer.h"
#include "core/export/json_text.h"
#include "core/export/shell_words.h"
#include "core/formats/facts/export_facts.h"
#include "core/summary/stack_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace highwater::check {
namespace {

using exports::Json;

/// Braces in messages are placeholders; doubled braces are literal.
Json messageOf(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '{' || c == '}') escaped += c;
        escaped += c;
    }
    return {{"text", std::move(escaped)}};
}

Json physicalLocation(const std::string& file, std::uint32_t line) {
    Json location{{"artifactLocation", {{"uri", uriOf(file)}}}};
    if (line > 0) location["region"] = {{"startLine", line}};
    return location;
}

Json locationOf(const summary::Frame& frame) {
    Json location = Json::object();
    if (!frame.file.empty()) location["physicalLocation"] = physicalLocation(frame.file, frame.line);
    location["logicalLocations"] = Json::array({{{"fullyQualifiedName", frame.name}, {"kind", "function"}}});
    return location;
}

Json frameOf(const summary::Frame& frame) {
    auto location = locationOf(frame);
    location["message"] = messageOf(frame.name);
    Json json{{"location", std::move(location)}};
    if (!frame.module.empty()) json["module"] = frame.module;
    return json;
}

Json resultOf(const GrownStack& stack, const CheckResult& check) {
    auto location = locationOf(stack.owner);
    // Viewers that show results by file need a location. If the owner has no line, use the trace.
    if (!location.contains("physicalLocation"))
        location["physicalLocation"] = physicalLocation(check.traces.front(), 0);
    Json frames = Json::array();
    for (const auto& frame : stack.frames)
        frames.push_back(frameOf(frame));
    Json result{{"ruleId", "grown-stack"},
                {"ruleIndex", 0},
                {"level", "error"},
                {"message", messageOf(growthText(stack) + '.')},
                {"locations", Json::array({std::move(location)})}};
    if (!frames.empty())
        result["stacks"] = Json::array({{{"message", messageOf("Allocation stack")}, {"frames", std::move(frames)}}});
    result["partialFingerprints"] = {{"stackKey/v1", summary::text(stack.key)}};
    result["properties"] = {{"before", stack.before}, {"after", stack.after}, {"process", stack.process}};
    return result;
}

Json resultOf(const BudgetVerdict& line, const CheckFacts& facts) {
    return {{"ruleId", "broken-budget"},
            {"ruleIndex", 1},
            {"level", "error"},
            {"message", messageOf(fmt::format("{}: {}.", line.rule.text, budgetText(line)))},
            {"locations",
             Json::array({{{"physicalLocation",
                            physicalLocation(facts.budgetFile, static_cast<std::uint32_t>(line.rule.line))}}})},
            {"properties", {{"value", line.value}, {"median", line.median}, {"limit", line.rule.limit}}}};
}

Json resultOf(const UnreachableStack& stack, const UnreachableVerdict& verdict) {
    Json frames = Json::array();
    for (const auto& frame : stack.frames)
        frames.push_back({{"location", {{"message", messageOf(frame)}}}});
    const Json owner = Json::array({{{"fullyQualifiedName", stack.owner}, {"kind", "function"}}});
    return {{"ruleId", "unreachable-memory"},
            {"ruleIndex", 2},
            {"level", "error"},
            {"message", messageOf(fmt::format("{} in {}.", unreachableText(stack), verdict.memory.process))},
            {"locations",
             Json::array({{{"physicalLocation", physicalLocation(verdict.trace, 0)}, {"logicalLocations", owner}}})},
            {"stacks", Json::array({{{"message", messageOf("Allocation stack")}, {"frames", std::move(frames)}}})},
            {"properties",
             {{"bytes", stack.unreachable.bytes},
              {"count", stack.unreachable.count},
              {"process", verdict.memory.process}}}};
}

std::string versionText() {
    const auto text = formats::programText();
    return text.substr(text.rfind(' ') + 1);
}

Json rulesJson() {
    return Json::array({{{"id", "grown-stack"},
                         {"name", "GrownStack"},
                         {"shortDescription", messageOf("A stack keeps more memory than before.")}},
                        {{"id", "broken-budget"},
                         {"name", "BrokenBudget"},
                         {"shortDescription", messageOf("Memory use exceeds the budget.")}},
                        {{"id", "unreachable-memory"},
                         {"name", "UnreachableMemory"},
                         {"shortDescription", messageOf("Nothing refers to blocks of a stack.")}}});
}

} // namespace

std::string uriOf(const std::string& path) {
    const bool hasDrive = path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' &&
                          (path[2] == '\\' || path[2] == '/');
    std::string uri = hasDrive ? "file:///" : path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr std::string_view kPlain = "/-._~!$&'()*+,;=@";
        if (c == '\\')
            uri += '/';
        else if ((byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != std::string_view::npos ||
                 (hasDrive && c == ':' && uri.size() == 9))
            uri += c;
        else
            uri += fmt::format("%{:02X}", byte);
    }
    return uri;
}

void writeSarif(const CheckResult& result, const CheckFacts& facts, std::ostream& out) {
    Json results = Json::array();
    for (const auto& stack : result.grown)
        results.push_back(resultOf(stack, result));
    for (const auto& line : result.budgets)
        if (line.isBroken()) results.push_back(resultOf(line, facts));
    for (const auto& verdict : result.unreachable) {
        if (!verdict.isExceeded()) continue;
        for (const auto& stack : verdict.memory.stacks)
            results.push_back(resultOf(stack, verdict));
    }
    Json notes = Json::array();
    for (const auto& note : result.notes)
        notes.push_back({{"message", messageOf(note)}, {"level", "note"}});
    if (const auto text = suppressedText(result.suppressed); !text.empty())
        notes.push_back({{"message", messageOf(text)}, {"level", "note"}});
    for (const auto& verdict : result.unreachable)
        if (const auto text = suppressedBlocksText(verdict.memory); !text.empty())
            notes.push_back({{"message", messageOf(text)}, {"level", "note"}});
    Json invocation{{"executionSuccessful", true}};
    if (const auto line = exports::shellLine(facts.command, exports::ownShell());
        line.hasValue() && !line.value().empty())
        invocation["commandLine"] = line.value();
    if (!notes.empty()) invocation["toolExecutionNotifications"] = std::move(notes);
    const Json json{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         Json::array(
             {{{"tool", {{"driver", {{"name", "Highwater"}, {"version", versionText()}, {"rules", rulesJson()}}}}},
               {"invocations", Json::array({std::move(invocation)})},
               {"results", std::move(results)},
               {"columnKind", "utf16CodeUnits"}}})}};
    out << exports::dumped(json, 2) << '\n';
}

} // namespace highwater::check
