#include "core/export/questions/heaps_writer.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/csv_text.h"
#include "core/export/cut_list.h"
#include "core/export/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace highwater::exports {
namespace {

using analysis::HeapFacts, analysis::HeapList, analysis::SlackGap;

constexpr std::size_t kHeapColumns = 9;
using HeapLine = std::array<std::string, kHeapColumns>;

std::span<const HeapFacts> firstOf(const HeapList& list, std::size_t most) {
    return {list.heaps.data(), std::min(most, list.heaps.size())};
}

std::string hexOf(Address address) { return fmt::format("0x{:x}", address); }
std::string signedText(SignedByteCount bytes) {
    const auto amount = bytes < 0 ? 0 - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
    return (bytes < 0 ? "-" : bytes > 0 ? "+" : "") + thousands(amount);
}
std::string amountText(const std::optional<ByteCount>& bytes) { return bytes ? thousands(*bytes) : "-"; }

HeapLine lineOf(const HeapFacts& heap) {
    return {hexOf(heap.handle),
            thousands(heap.count),
            thousands(heap.bytes),
            thousands(heap.peak),
            signedText(heap.growth),
            heap.bytesPerSecond ? signedText(*heap.bytesPerSecond) : "-",
            amountText(heap.committed),
            amountText(heap.slack),
            heap.process};
}

/// Details that do not fit into the table.
std::string lifeText(const HeapFacts& heap) {
    std::string text = "by " + analysis::creatorText(heap);
    if (heap.created) text += fmt::format(", created at {} s", allDecimals(*heap.created));
    if (heap.creations > 1) text += fmt::format(" (the last of {} creations)", thousands(heap.creations));
    if (heap.destroyed) text += fmt::format(", destroyed at {} s", allDecimals(*heap.destroyed));
    if (heap.reserved) text += fmt::format(", {} bytes reserved", thousands(*heap.reserved));
    return text;
}

Json amountJson(const std::optional<ByteCount>& bytes) { return bytes ? Json(*bytes) : Json(); }
Json timeJson(const std::optional<TraceTime>& time) { return time ? secondsJson(*time) : Json(); }

Json heapJson(const HeapFacts& heap) {
    const bool isMade = heap.origin == analysis::HeapOrigin::Recorded;
    return {{"process", heap.process},
            {"handle", hexOf(heap.handle)},
            {"origin", std::string(analysis::originWord(heap.origin))},
            {"creator", isMade && !heap.stack.empty() ? Json(heap.stack[heap.ownerFrame]) : Json()},
            {"stack", heap.stack},
            {"creations", heap.creations},
            {"created_s", timeJson(heap.created)},
            {"destroyed_s", timeJson(heap.destroyed)},
            {"count", heap.count},
            {"bytes", heap.bytes},
            {"peak_bytes", heap.peak},
            {"growth_bytes", heap.growth},
            {"bytes_per_second", heap.bytesPerSecond ? Json(*heap.bytesPerSecond) : Json()},
            {"reserved_bytes", amountJson(heap.reserved)},
            {"committed_bytes", amountJson(heap.committed)},
            {"live_in_ranges_bytes", heap.reserved ? Json(heap.liveInRanges) : Json()},
            {"slack_bytes", amountJson(heap.slack)},
            {"why_no_slack", heap.gap == SlackGap::None ? Json() : Json(std::string(slackGapText(heap.gap)))}};
}

} // namespace

void writeHeapsText(const HeapList& list, std::size_t most, std::ostream& out) {
    const auto heaps = firstOf(list, most);
    out << fmt::format("Heaps at {} s, growth and peak since {} s: {} with {}, {}\n", allDecimals(list.interval.end),
                       allDecimals(list.interval.start), counted(list.heaps.size(), "heap"),
                       counted(list.count, "live block"), bytesText(list.bytes));
    if (heaps.empty()) return;
    std::vector<HeapLine> lines{
        {"Handle", "Blocks", "Live", "Peak", "Growth", "Slope (B/s)", "Committed", "Slack", "Process"}};
    for (const auto& heap : heaps)
        lines.push_back(lineOf(heap));
    std::array<std::size_t, kHeapColumns> widths{};
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < kHeapColumns; ++i)
            widths[i] = std::max(widths[i], line[i].size());
    }
    for (std::size_t row = 0; row < lines.size(); ++row) {
        out << (row == 0 ? "\n" : "") << fmt::format("{:<{}}", lines[row][0], widths[0]);
        for (std::size_t i = 1; i + 1 < kHeapColumns; ++i)
            out << fmt::format("  {:>{}}", lines[row][i], widths[i]);
        out << "  " << printable(lines[row].back()) << '\n';
        if (row == 0) continue;
        out << "  " << printable(lifeText(heaps[row - 1])) << '\n';
        if (heaps[row - 1].gap != SlackGap::None) out << "  " << unknownSlackText(heaps[row - 1].gap) << '\n';
    }
    if (heaps.size() < list.heaps.size())
        out << fmt::format("\n{}\n", moreOfList(list.heaps.size() - heaps.size(), "heap", " with fewer bytes"));
}

void writeHeapsCsv(const HeapList& list, std::size_t most, std::ostream& out) {
    constexpr std::array<std::string_view, 16> kNames{"process",
                                                      "handle",
                                                      "origin",
                                                      "creator",
                                                      "created_s",
                                                      "destroyed_s",
                                                      "count",
                                                      "bytes",
                                                      "peak_bytes",
                                                      "growth_bytes",
                                                      "bytes_per_second",
                                                      "reserved_bytes",
                                                      "committed_bytes",
                                                      "live_in_ranges_bytes",
                                                      "slack_bytes",
                                                      "why_no_slack"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
        out << (i == 0 ? "" : ",") << kNames[i];
    out << '\n';
    for (const auto& heap : firstOf(list, most)) {
        const auto json = heapJson(heap);
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            const auto& value = json[std::string(kNames[i])];
            out << (i == 0 ? "" : ",");
            if (value.is_string())
                out << csvField(value.get<std::string>());
            else if (!value.is_null())
                out << dumped(value);
        }
        out << '\n';
    }
}

void writeHeapsJson(const HeapList& list, std::size_t most, const HealthReport& health, std::ostream& out) {
    auto heaps = Json::array();
    for (const auto& heap : firstOf(list, most))
        heaps.push_back(heapJson(heap));
    const Json json{{"schema_version", kSchemaVersion},
                    {"interval", intervalJson(list.interval)},
                    {"heap_count", list.heaps.size()},
                    {"count", list.count},
                    {"bytes", list.bytes},
                    {"heaps", heaps},
                    {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
