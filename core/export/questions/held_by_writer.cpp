#include "core/export/questions/held_by_writer.h"

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

using analysis::BlockSum, analysis::HeldBy, analysis::RootHolder;

std::span<const RootHolder> firstOf(const HeldBy& answer, std::size_t most) {
    return {answer.holders.data(), std::min(most, answer.holders.size())};
}

const char* kindWord(const std::optional<RootKind>& kind) {
    if (!kind) return "unreachable";
    switch (*kind) {
    case RootKind::Variable:
        return "variable";
    case RootKind::ThreadLocal:
        return "thread_local";
    case RootKind::Stack:
        return "stack";
    case RootKind::Register:
        return "register";
    case RootKind::Mapping:
        break;
    }
    return "mapping";
}

BlockSum sumOf(const HeldBy& answer, Reachability first, Reachability second) {
    const auto &a = answer.sum(first), &b = answer.sum(second);
    return {a.count + b.count, a.bytes + b.bytes};
}
BlockSum reachable(const HeldBy& answer) { return sumOf(answer, Reachability::Reachable, Reachability::Possible); }
BlockSum unreachable(const HeldBy& answer) {
    return sumOf(answer, Reachability::Unreachable, Reachability::OnlyLeaked);
}

Json rootHolderJson(const HeldBy& answer, const RootHolder& holder) {
    Json path = Json::array({holder.text}), kinds = Json::array({"root"}), types = Json::array({nullptr});
    Json counts = Json::array({0});
    for (const auto index : holder.path) {
        const auto& step = answer.nodes[index];
        const auto type = answer.typeOf(step);
        path.push_back(step.text);
        kinds.push_back(step.isFrame ? "frame" : "owner");
        types.push_back(type.empty() ? Json() : Json(type));
        counts.push_back(step.type.count);
    }
    return {{"root", holder.text},
            {"kind", kindWord(holder.kind)},
            {"count", holder.held.count},
            {"bytes", holder.held.bytes},
            {"retained_bytes", holder.retained},
            {"certain", holder.isCertain()},
            {"uncertain_count", holder.uncertain},
            {"path", path},
            {"path_kinds", kinds},
            {"path_types", types},
            {"path_type_counts", counts}};
}

void writeProcess(const HeldBy& answer, std::size_t most, std::ostream& out) {
    out << printable(heldByHeadline(answer)) << '\n';
    for (const auto& caution : answer.cautions)
        out << fmt::format("  {}\n", caution);
    const auto holders = firstOf(answer, most);
    if (holders.empty()) return;
    out << fmt::format("\n{:>16}  {:>16}  {:>12}  {}\n", "Retained", "Held", "Blocks", "Held by");
    for (const auto& holder : holders)
        out << fmt::format("{:>16}  {:>16}  {:>12}  {}{}\n", thousands(holder.retained), thousands(holder.held.bytes),
                           thousands(holder.held.count), printable(pathText(answer, holder)), doubtOf(holder));
    if (holders.size() < answer.holders.size())
        out << fmt::format("\n{}\n", moreOfList(answer.holders.size() - holders.size(), "holder", " with less memory"));
}

} // namespace

std::string heldByHeadline(const HeldBy& answer) {
    const auto held = reachable(answer), lost = unreachable(answer);
    return fmt::format("{} at {} s: {} in {} reachable, {} in {} unreachable", answer.name,
                       allDecimals(answer.picture->time), bytesText(held.bytes), counted(held.count, "block"),
                       bytesText(lost.bytes), counted(lost.count, "block"));
}

// Unreachable blocks have no way that could be doubted.
std::string_view doubtOf(const RootHolder& holder) {
    if (holder.isCertain() || !holder.kind) return "";
    return holder.uncertain == holder.held.count ? " (uncertain)" : " (partly uncertain)";
}

std::string pathText(const HeldBy& answer, const RootHolder& holder) {
    std::string text = holder.text;
    for (const auto index : holder.path) {
        const auto& step = answer.nodes[index];
        text += " > " + step.title();
        if (const auto type = answer.typeOf(step); !type.empty())
            text += fmt::format(" ({} {})", thousands(step.type.count), type);
    }
    return text;
}

Json heldByJson(const HeldBy& answer, std::size_t most) {
    auto holders = Json::array();
    for (const auto& holder : firstOf(answer, most))
        holders.push_back(rootHolderJson(answer, holder));
    auto cautions = Json::array();
    for (const auto& caution : answer.cautions)
        cautions.push_back(caution);
    return {{"process", answer.name},
            {"picture_s", secondsJson(answer.picture->time)},
            {"blocks", answer.picture->blocks.size()},
            {"reachable_count", reachable(answer).count},
            {"reachable_bytes", reachable(answer).bytes},
            {"possible_count", answer.sum(Reachability::Possible).count},
            {"possible_bytes", answer.sum(Reachability::Possible).bytes},
            {"unreachable_count", unreachable(answer).count},
            {"unreachable_bytes", unreachable(answer).bytes},
            {"leaked_count", answer.sum(Reachability::Unreachable).count},
            {"leaked_bytes", answer.sum(Reachability::Unreachable).bytes},
            {"untraced_count", answer.untraced.count},
            {"untraced_bytes", answer.untraced.bytes},
            {"has_unknown_blocks", answer.picture->hasUnknownBlocks},
            {"unread_threads", answer.picture->unreadThreads},
            {"unread_bytes", answer.picture->unreadBytes},
            {"cautions", cautions},
            {"holder_count", answer.holders.size()},
            {"holders", holders}};
}

void writeHeldByText(const std::vector<HeldBy>& found, std::size_t most, std::ostream& out) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i > 0) out << '\n';
        writeProcess(found[i], most, out);
    }
}

void writeHeldByCsv(const std::vector<HeldBy>& found, std::size_t most, std::ostream& out) {
    out << "process,picture_s,root,kind,count,bytes,retained_bytes,certain,path\n";
    for (const auto& answer : found) {
        for (const auto& holder : firstOf(answer, most))
            out << fmt::format("{},{},{},{},{},{},{},{},{}\n", csvField(answer.name), allDecimals(answer.picture->time),
                               csvField(holder.text), kindWord(holder.kind), holder.held.count, holder.held.bytes,
                               holder.retained, holder.isCertain(), csvField(pathText(answer, holder)));
    }
}

void writeHeldByJson(const std::vector<HeldBy>& found, std::size_t most, const HealthReport& health,
                     std::ostream& out) {
    auto processes = Json::array();
    for (const auto& answer : found)
        processes.push_back(heldByJson(answer, most));
    const Json json{{"schema_version", kSchemaVersion}, {"processes", processes}, {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
