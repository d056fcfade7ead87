#include "core/export/explain/explain_writer.h"

#include "core/analysis/explain/finding_text.h"
#include "core/export/info/info_json.h"
#include "core/export/json_text.h"
#include "core/export/leaks_writer.h"
#include "core/export/questions/balance_writer.h"
#include "core/export/questions/held_by_writer.h"
#include "core/export/questions/holders_writer.h"

#include <array>
#include <cmath>
#include <string_view>

namespace highwater::exports {
namespace {

Json programsJson(const analysis::Explanation& answer) {
    auto programs = Json::array();
    for (const auto& program : answer.rise.programs)
        programs.push_back({{"process", program.process}, {"count", program.rows}});
    return programs;
}

/// A selection of the members of info.
Json recordedJson(const ExplainPage& page) {
    constexpr std::array kMembers{"recorded_at",   "computer",   "recorder",   "os_build",
                                  "pointer_bytes", "processors", "duration_s", "kept_from_s"};
    const auto info = infoJson(page.info);
    Json recorded;
    for (const auto* member : kMembers)
        recorded[member] = info[member];
    recorded["heap_allocations"] = page.info.trace.heap.rows;
    recorded["virtual_alloc_allocations"] = page.info.trace.virtualAlloc.rows;
    recorded["programs"] = programsJson(page.answer);
    return recorded;
}

/// As in docs/command-line.md.
std::string_view kindWord(analysis::SurgeKind kind) {
    switch (kind) {
    case analysis::SurgeKind::Steep:
        return "steep";
    case analysis::SurgeKind::StartUp:
        return "start_up";
    case analysis::SurgeKind::Gradual:
        break;
    }
    return "gradual";
}

Json surgeJson(const ExplainPage& page) {
    const auto& surge = page.answer.rise.surge;
    if (!surge) return nullptr;
    Json json{{"kind", kindWord(surge->kind)},
              {"process", surge->processText},
              {"start_s", secondsJson(surge->part.start)},
              {"end_s", secondsJson(surge->part.end)},
              {"bytes", surge->bytes},
              {"start_bytes", surge->startBytes},
              {"end_bytes", surge->endBytes},
              {"last_bytes", surge->lastBytes},
              {"stacks_rising", surge->stackCount},
              {"table_command", commandJson(page.commands.surgeTable, page.shell)},
              {"timeline_command", commandJson(page.commands.surgeTimeline, page.shell)},
              {"stacks", Json::array()}};
    for (std::size_t i = 0; i < surge->stacks.size(); ++i) {
        const auto& stack = surge->stacks[i];
        Json one{{"owner", stack.owner},
                 {"stack", stack.stack},
                 {"owner_frame", stack.ownerFrame},
                 {"bytes", stack.bytes},
                 {"share", std::round(stack.share * 1000) / 1000},
                 {"command", commandJson(page.commands.surgeStacks[i], page.shell)}};
        addPicture(stack.picture, one);
        json["stacks"].push_back(std::move(one));
    }
    return json;
}

Json suspectsJson(const ExplainPage& page) {
    auto suspects = Json::array();
    for (std::size_t i = 0; i < page.answer.suspects.size(); ++i) {
        const auto& suspect = page.answer.suspects[i];
        const bool isGrowing = suspect.verdict == analysis::LeakVerdict::Growing;
        const auto perHour = [&](double perSecond) {
            return isGrowing ? Json(std::round(perSecond * kSecondsPerHour)) : Json();
        };
        auto json = leakSuspectJson(i + 1, suspect);
        json["cost_bytes_per_hour"] = perHour(suspect.growth.perSecond);
        json["cost_low_bytes_per_hour"] = perHour(suspect.growth.low);
        json["cost_high_bytes_per_hour"] = perHour(suspect.growth.high);
        json["command"] = commandJson(page.commands.suspects[i], page.shell);
        suspects.push_back(std::move(json));
    }
    return suspects;
}

Json heldJson(const ExplainPage& page) {
    const auto& held = page.answer.held;
    if (!held) return nullptr;
    auto json = holderJson(held->holders.front());
    json["process"] = held->name;
    json["at_s"] = secondsJson(held->time);
    json["rss_bytes"] = held->rss;
    json["complete"] = held->isComplete();
    json["command"] = commandJson(page.commands.holders, page.shell);
    return json;
}

Json picturesJson(const analysis::Explanation& answer) {
    auto pictures = Json::array();
    for (const auto& held : answer.pictures)
        pictures.push_back(heldByJson(held, kMostPicturedHolders));
    return pictures;
}

Json namesJson(const analysis::UnnamedFrames& names) {
    return {{"functions", names.frames}, {"without_name", names.unnamed}, {"modules", names.modules}};
}

} // namespace

void writeExplainJson(const ExplainPage& page, std::ostream& out) {
    const auto& answer = page.answer;
    const Json json{{"schema_version", kSchemaVersion},
                    {"table", std::string(analysis::tableWord(answer.table))},
                    {"interval", intervalJson(answer.interval)},
                    {"filter", page.filter.empty() ? Json() : Json(page.filter)},
                    {"recorded", recordedJson(page)},
                    {"surge", surgeJson(page)},
                    {"tables", searchedTablesJson(answer.tables)},
                    {"stacks", answer.judged},
                    {"suppressed", leftOutJson(answer.suppressed)},
                    {"heap_memory", leftOutJson(answer.heapMemory)},
                    {"suspects", suspectsJson(page)},
                    {"why_no_suspects", answer.whyNone.empty() ? Json() : Json(answer.whyNone)},
                    {"largest_other", answer.largest ? Json(analysis::largestText(*answer.largest)) : Json()},
                    {"leaks_command", commandJson(page.commands.leaks, page.shell)},
                    {"balance", answer.balance ? balanceJson(*answer.balance) : Json()},
                    {"held", heldJson(page)},
                    {"untraced", untracedJson(answer.untraced)},
                    {"pictures", picturesJson(answer)},
                    {"holders_command", commandJson(page.commands.pictured, page.shell)},
                    {"names", namesJson(answer.names)},
                    {"health", healthJson(page.health)}};
    out << dumped(json, 2) << '\n';
}

} // namespace highwater::exports
