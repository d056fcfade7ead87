#include "core/export/leaks_writer.h"

#include "core/analysis/leaks/leak_sentence.h"
#include "core/base/counted.h"
#include "core/export/csv_text.h"
#include "core/export/cut_list.h"
#include "core/export/json_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace highwater::exports {
namespace {

using analysis::LeakSuspect;

/// Rates are rounded; more digits are not significant.
double rounded(double value) { return std::round(value * 1000) / 1000; }

std::string headline(const analysis::SearchedTable& searched, TimeRange interval) {
    const auto kept = searched.stacks == 0 ? std::string("no stack keeps memory")
                                           : fmt::format("{} kept by {}", bytesText(searched.keptBytes),
                                                         counted(searched.stacks, "stack"));
    return fmt::format("{}, {} s to {} s: {}\n", analysis::tableTitle(searched.table), allDecimals(interval.start),
                       allDecimals(interval.end), kept);
}

std::string suppressedStacks(const analysis::SuppressedLeaks& suppressed) {
    return "suppressed: " + counted(suppressed.stacks, "stack");
}

/// The confidence that the stack keeps growing, for growing stacks.
std::string confidenceText(const LeakSuspect& suspect) {
    const bool isGrowing = suspect.verdict == analysis::LeakVerdict::Growing;
    return isGrowing ? fmt::format("   confidence {:.2f}", suspect.confidence) : std::string();
}

bool isWrapper(const LeakSuspect& suspect, std::size_t frame) {
    return std::ranges::any_of(suspect.wrappers, [&](const auto& wrapper) { return wrapper.frame == frame; });
}

void writeSuspect(std::size_t rank, const LeakSuspect& suspect, std::ostream& out) {
    out << fmt::format("\n{}. {}   {}   {}{}\n   {}\n", rank, printable(analysis::ownerText(suspect)),
                       printable(suspect.process), analysis::kindText(suspect.table), confidenceText(suspect),
                       printable(suspect.why));
    for (std::size_t i = 0; i < suspect.stack.size(); ++i) {
        const auto* mark = i == suspect.ownerFrame ? "   > " : isWrapper(suspect, i) ? "   ~ " : "     ";
        out << mark << printable(suspect.stack[i]) << '\n';
    }
}

Json wrappersJson(const LeakSuspect& suspect) {
    auto wrappers = Json::array();
    for (const auto& wrapper : suspect.wrappers)
        wrappers.push_back({{"function", wrapper.function},
                            {"frame", wrapper.frame},
                            {"callers", wrapper.callers == 0 ? Json() : Json(wrapper.callers)}});
    return wrappers;
}

constexpr const char* kPictureColumns =
    ",picture_s,unreachable_count,unreachable_bytes,unreachable_since_from_s,unreachable_since_to_s,held_by";

/// For these columns, each after its comma.
std::string pictureFields(const std::optional<analysis::PicturedStack>& picture) {
    if (!picture) return ",,,,,,";
    const auto& since = picture->since;
    return fmt::format(",{},{},{},{},{},{}", dumped(secondsJson(picture->time)), picture->unreachable.count,
                       picture->unreachable.bytes, since ? dumped(secondsJson(since->start)) : "",
                       since ? dumped(secondsJson(since->end)) : "", csvField(analysis::heldByPath(*picture)));
}

} // namespace

/// Also reports that suppressions matched nothing.
std::string suppressedText(const analysis::SuppressedLeaks& suppressed) {
    if (suppressed.stacks == 0) return suppressed.areAsked ? "suppressed: no stack" : "";
    return fmt::format("{}, {} of {}", suppressedStacks(suppressed), bytesText(suppressed.keptBytes),
                       counted(suppressed.keptCount, "allocation"));
}

std::string leftOutText(const analysis::LeftOutStacks& heapMemory) {
    if (heapMemory.stacks == 0) return {};
    return fmt::format("{} of {}", analysis::heapMemoryText(heapMemory), counted(heapMemory.keptCount, "allocation"));
}

/// The members about the newest picture; null: none contains a block of the stack.
void addPicture(const std::optional<analysis::PicturedStack>& picture, Json& json) {
    const auto since = picture ? picture->since : std::nullopt;
    json["picture_s"] = picture ? secondsJson(picture->time) : Json();
    json["unreachable_count"] = picture ? Json(picture->unreachable.count) : Json();
    json["unreachable_bytes"] = picture ? Json(picture->unreachable.bytes) : Json();
    json["unreachable_since_from_s"] = since ? secondsJson(since->start) : Json();
    json["unreachable_since_to_s"] = since ? secondsJson(since->end) : Json();
    json["held_by"] = picture ? Json(picture->heldBy) : Json();
}

Json leakSuspectJson(std::size_t rank, const LeakSuspect& suspect) {
    Json json{{"rank", rank},
              {"owner", suspect.owner},
              {"process", suspect.process},
              {"table", analysis::tableWord(suspect.table)},
              {"verdict", std::string(analysis::verdictWord(suspect.verdict))},
              {"why", suspect.why},
              {"stack", suspect.stack},
              {"owner_frame", suspect.ownerFrame},
              {"place", suspect.place.empty() ? Json() : Json(suspect.place)},
              {"wrappers", wrappersJson(suspect)},
              {"outstanding_count", suspect.outstandingCount},
              {"outstanding_bytes", suspect.outstandingBytes},
              {"kept_count", suspect.keptCount},
              {"kept_bytes", suspect.keptBytes},
              {"leaked_count", suspect.leakedCount},
              {"leaked_bytes", suspect.leakedBytes},
              {"freed_count", suspect.freedCount},
              {"share", rounded(suspect.share)},
              {"growth_bytes_per_s", rounded(suspect.growth.perSecond)},
              {"growth_low_bytes_per_s", rounded(suspect.growth.low)},
              {"growth_high_bytes_per_s", rounded(suspect.growth.high)},
              {"confidence", rounded(suspect.confidence)},
              {"first_s", secondsJson(suspect.first)},
              {"last_s", secondsJson(suspect.last)},
              {"survived_marks", suspect.marks},
              {"resident_bytes", suspect.held ? Json(suspect.held->resident) : Json()},
              {"held_pages_bytes", suspect.held ? Json(suspect.held->heldPages) : Json()}};
    addPicture(suspect.picture, json);
    return json;
}

Json leftOutJson(const analysis::LeftOutStacks& leftOut) {
    return {{"stacks", leftOut.stacks}, {"kept_count", leftOut.keptCount}, {"kept_bytes", leftOut.keptBytes}};
}

Json searchedTablesJson(const std::vector<analysis::SearchedTable>& tables) {
    auto json = Json::array();
    for (const auto& searched : tables)
        json.push_back({{"table", analysis::tableWord(searched.table)},
                        {"stacks", searched.stacks},
                        {"kept_bytes", searched.keptBytes}});
    return json;
}

Json commandJson(const CommandLine& command, Shell shell) {
    const auto line = shellLine(command, shell);
    return line.hasValue() && !command.empty() ? Json(line.value()) : Json();
}

Json untracedJson(const std::vector<analysis::UntracedBlocks>& untraced) {
    auto json = Json::array();
    for (const auto& [process, time, blocks, unreachable, areKnown] : untraced)
        json.push_back({{"process", process},
                        {"picture_s", secondsJson(time)},
                        {"blocks", blocks},
                        {"unreachable_count", areKnown ? Json(unreachable.count) : Json()},
                        {"unreachable_bytes", areKnown ? Json(unreachable.bytes) : Json()}});
    return json;
}

void writeLeaksText(const analysis::LeakReport& report, const CommandLine& holders, std::ostream& out) {
    for (const auto& searched : report.tables)
        out << headline(searched, report.interval);
    for (const auto& untraced : report.untraced)
        out << printable(analysis::untracedText(untraced)) << '\n';
    if (!report.untraced.empty())
        out << "To list what holds the blocks of the picture: " << lineOrReason(holders, ownShell()) << '\n';
    for (const auto& text : {suppressedText(report.suppressed), leftOutText(report.heapMemory)})
        if (!text.empty()) out << text << '\n';
    for (std::size_t i = 0; i < report.suspects.size(); ++i)
        writeSuspect(i + 1, report.suspects[i], out);
    const auto shown = report.suspects.size();
    if (shown > 0 && shown < report.count) out << fmt::format("\n({})\n", moreOfList(report.count - shown, "stack"));
}

void writeLeaksCsv(const analysis::LeakReport& report, std::ostream& out) {
    out << "rank,owner,process,verdict,why,growth_bytes_per_s,outstanding_bytes,outstanding_count,kept_bytes,kept_"
           "count,"
           "freed_count,confidence,first_s,last_s,stack,table,resident_bytes,held_pages_bytes"
        << (report.hasPicture ? kPictureColumns : "") << '\n';
    for (std::size_t i = 0; i < report.suspects.size(); ++i) {
        const auto& suspect = report.suspects[i];
        out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}\n", i + 1, csvField(suspect.owner),
                           csvField(suspect.process), analysis::verdictWord(suspect.verdict), csvField(suspect.why),
                           rounded(suspect.growth.perSecond), suspect.outstandingBytes, suspect.outstandingCount,
                           suspect.keptBytes, suspect.keptCount, suspect.freedCount, rounded(suspect.confidence),
                           dumped(secondsJson(suspect.first)), dumped(secondsJson(suspect.last)),
                           csvField(fmt::format("{}", fmt::join(suspect.stack, std::string(1, kFrameSeparator)))),
                           analysis::tableWord(suspect.table),
                           suspect.held ? std::to_string(suspect.held->resident) : "",
                           suspect.held ? std::to_string(suspect.held->heldPages) : "",
                           report.hasPicture ? pictureFields(suspect.picture) : "");
    }
    const auto writeLeftOut = [&](const analysis::LeftOutStacks& leftOut, const std::string& owner, const char* verdict,
                                  std::string_view table) {
        if (leftOut.stacks == 0) return;
        out << fmt::format(",({}),,{},,,,,{},{},,,,,,{},,{}\n", owner, verdict, leftOut.keptBytes, leftOut.keptCount,
                           table, report.hasPicture ? pictureFields({}) : "");
    };
    writeLeftOut(report.suppressed, suppressedStacks(report.suppressed), "suppressed", "");
    writeLeftOut(report.heapMemory, "VirtualAlloc of heaps: " + counted(report.heapMemory.stacks, "stack"),
                 "heap_memory", analysis::tableWord(analysis::Table::VirtualAlloc));
}

void writeLeaksJson(const analysis::LeakReport& report, const CommandLine& holders, const HealthReport& health,
                    std::ostream& out) {
    const auto& tables = report.tables;
    const auto table = tables.size() == 1 ? Json(analysis::tableWord(tables.front().table)) : Json();
    out << "{\"schema_version\":" << kSchemaVersion << ",\"table\":" << dumped(table)
        << ",\"tables\":" << dumped(searchedTablesJson(tables))
        << ",\"interval\":" << dumped(intervalJson(report.interval)) << ",\"stacks\":" << report.count
        << ",\"kept_bytes\":" << report.keptBytes << ",\"suppressed\":" << dumped(leftOutJson(report.suppressed))
        << ",\"heap_memory\":" << dumped(leftOutJson(report.heapMemory))
        << ",\"untraced\":" << dumped(untracedJson(report.untraced))
        << ",\"holders_command\":" << dumped(commandJson(report.hasPicture ? holders : CommandLine(), ownShell()))
        << ",\"suspects\":[";
    const char* separator = "\n";
    for (std::size_t i = 0; i < report.suspects.size(); ++i) {
        out << separator << dumped(leakSuspectJson(i + 1, report.suspects[i]));
        separator = ",\n";
    }
    out << "],\"health\":" << dumped(healthJson(health)) << "}\n";
}

} // namespace highwater::exports
