#include "core/check/check_writer.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/check/junit_writer.h"
#include "core/export/json_text.h"
#include "core/summary/stack_key.h"

#include <fmt/format.h>

namespace highwater::check {
namespace {

using exports::Json;

void writeUnreachableMemory(const CheckResult& result, std::ostream& out) {
    for (const auto& verdict : result.unreachable) {
        out << fmt::format("{:7} {}\n", verdict.isExceeded() ? "LEAKED" : "kept", printable(unreachableText(verdict)));
        for (const auto& stack : verdict.memory.stacks) {
            out << "          " << printable(unreachableText(stack)) << '\n';
            for (const auto& frame : stack.frames)
                out << "            " << printable(frame) << '\n';
        }
        if (const auto text = suppressedBlocksText(verdict.memory); !text.empty())
            out << "          " << printable(text) << '\n';
    }
}

Json unreachableJson(const CheckResult& result) {
    auto json = Json::array();
    for (const auto& verdict : result.unreachable) {
        const auto& memory = verdict.memory;
        auto stacks = Json::array();
        for (const auto& stack : memory.stacks)
            stacks.push_back({{"owner", stack.owner},
                              {"stack", stack.frames},
                              {"count", stack.unreachable.count},
                              {"bytes", stack.unreachable.bytes}});
        json.push_back({{"trace", verdict.trace},
                        {"process", memory.process},
                        {"picture_s", exports::secondsJson(memory.time)},
                        {"count", memory.all.count},
                        {"bytes", memory.all.bytes},
                        {"limit", verdict.limit},
                        {"exceeded", verdict.isExceeded()},
                        {"suppressed_stacks", memory.suppressedStacks},
                        {"suppressed_count", memory.suppressed.count},
                        {"suppressed_bytes", memory.suppressed.bytes},
                        {"stacks", std::move(stacks)}});
    }
    return json;
}

} // namespace

void writeCheckText(const CheckResult& result, std::ostream& out) {
    for (const auto& line : result.budgets)
        out << fmt::format("{:7} {}: {}\n", verdictWord(line), printable(line.rule.text), budgetText(line));
    for (const auto& stack : result.grown) {
        out << "GREW    " << printable(growthText(stack)) << '\n';
        for (const auto& frame : stack.frames)
            out << "          " << printable(frame.name) << '\n';
    }
    writeUnreachableMemory(result, out);
    if (!result.tracesBefore.empty())
        out << fmt::format("{} of {} of {} grew.\n", thousands(result.grown.size()), counted(result.compared, "stack"),
                           analysis::tableWord(result.table));
    else if (!result.budgets.empty())
        out << fmt::format("{} of {} of the budget {} broken (table {}).\n", thousands(result.brokenBudgets()),
                           counted(result.budgets.size(), "line"),
                           byPart(result.brokenBudgets(), result.budgets.size(), "is", "are"),
                           analysis::tableWord(result.table));
    if (const auto text = suppressedText(result.suppressed); !text.empty()) out << text << '\n';
}

void writeCheckJson(const CheckResult& result, std::ostream& out) {
    Json json{{"schema_version", exports::kSchemaVersion},
              {"table", analysis::tableWord(result.table)},
              {"passed", result.hasPassed()},
              {"compared", result.compared}};
    json["budget"] = Json::array();
    for (const auto& line : result.budgets)
        json["budget"].push_back({{"line", line.rule.line},
                                  {"rule", line.rule.text},
                                  {"measure", measureWord(line.rule.measure)},
                                  {"limit", line.rule.limit},
                                  {"value", line.value},
                                  {"median", line.median},
                                  {"broken", line.isBroken()},
                                  {"matches_nothing", line.matchesNothing}});
    json["grown"] = Json::array();
    for (const auto& stack : result.grown) {
        Json frames = Json::array();
        for (const auto& frame : stack.frames)
            frames.push_back(frame.name);
        json["grown"].push_back({{"owner", stack.owner.name},
                                 {"stack", std::move(frames)},
                                 {"key", summary::text(stack.key)},
                                 {"process", stack.process},
                                 {"before", stack.before},
                                 {"after", stack.after},
                                 {"growth", stack.growth()},
                                 {"p", stack.p ? Json(*stack.p) : Json()}});
    }
    json["suppressed"] = {{"stacks", result.suppressed.stacks}, {"growth", result.suppressed.bytes}};
    json["unreachable"] = unreachableJson(result);
    json["notes"] = result.notes;
    out << exports::dumped(json) << '\n';
}

} // namespace highwater::check
