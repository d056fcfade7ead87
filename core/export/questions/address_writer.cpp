#include "core/export/questions/address_writer.h"

#include "core/analysis/columns/columns.h"
#include "core/base/counted.h"
#include "core/export/json_text.h"

#include <fmt/format.h>

namespace highwater::exports {
namespace {

using analysis::AddressUse;

std::string_view tableOf(const AddressUse& use) {
    const bool isHeap = use.table == store::TableKind::Heap;
    return analysis::tableWord(isHeap ? analysis::Table::Heap : analysis::Table::VirtualAlloc);
}

std::string threadText(ThreadId thread) {
    return thread.isKnown() ? fmt::format("thread {}", thread.value) : std::string("unknown thread");
}

std::string whenText(TraceTime time) {
    return time == kBeforeTrace ? "before the trace" : fmt::format("at {} s", allDecimals(time));
}

void writeStack(const char* title, const std::vector<std::string>& stack, std::ostream& out) {
    if (stack.empty()) return;
    out << "   " << title << '\n';
    for (const auto& frame : stack)
        out << "     " << printable(frame) << '\n';
}

void writeUse(std::size_t number, const analysis::AddressQuery& query, const AddressUse& use, std::ostream& out) {
    out << fmt::format("\n{}. {}, {}{}\n", number, printable(use.process), tableOf(use),
                       use.heap == 0 ? std::string() : fmt::format(", heap 0x{:x}", use.heap));
    if (!use.isUnmatchedFree) {
        out << fmt::format("   0x{:x}, {} bytes; the address is at offset {}\n", use.address, thousands(use.size),
                           thousands(query.address - use.address));
        out << fmt::format("   allocated {} by {}\n", whenText(use.begin), threadText(use.thread));
        if (use.releasedInParts > 0)
            out << fmt::format("   {} bytes were released earlier, possibly including the address\n",
                               thousands(use.releasedInParts));
    }
    if (use.end == kNever)
        out << "   outstanding at the end of the trace\n";
    else
        out << fmt::format("   {} {} by {}\n", endText(use), whenText(use.end), threadText(use.endThread));
    writeStack("allocated by", use.stack, out);
    writeStack("freed by", use.endStack, out);
}

Json threadJson(ThreadId thread) { return thread.isKnown() ? Json(thread.value) : Json(); }
Json hexJson(Address address) { return fmt::format("0x{:x}", address); }

Json useJson(const analysis::AddressQuery& query, const AddressUse& use) {
    const bool isRow = !use.isUnmatchedFree;
    return {{"table", std::string(tableOf(use))},
            {"process", use.process},
            {"handle", use.heap == 0 ? Json() : hexJson(use.heap)},
            {"address", hexJson(use.address)},
            {"size", use.size},
            {"offset", isRow ? Json(query.address - use.address) : Json()},
            {"begin_s", isRow ? secondsJson(use.begin) : Json()},
            {"end_s", secondsJson(use.end)},
            {"free_type", endText(use)},
            {"released_in_parts", use.releasedInParts},
            {"thread", threadJson(use.thread)},
            {"free_thread", threadJson(use.endThread)},
            {"alloc_stack", use.stack},
            {"free_stack", use.endStack}};
}

} // namespace

std::string endText(const AddressUse& use) {
    const auto key = use.isUnmatchedFree ? analysis::kUnmatchedFreeType : static_cast<std::uint64_t>(use.endKind);
    return analysis::enumText(analysis::Column::FreeType, key);
}

void writeAddressText(const analysis::AddressQuery& query, const analysis::AddressHistory& history, std::ostream& out) {
    out << fmt::format("0x{:x}: {}", query.address, counted(history.count, "use"));
    if (const auto shown = history.uses.size(); shown < history.count)
        out << fmt::format("; the newest {} {}; increase --top to list more", thousands(shown),
                           byNumber(shown, "follows", "follow"));
    out << '\n';
    const auto first = history.count - history.uses.size() + 1;
    for (std::size_t i = 0; i < history.uses.size(); ++i)
        writeUse(first + i, query, history.uses[i], out);
}

void writeAddressJson(const analysis::AddressQuery& query, const analysis::AddressHistory& history,
                      const HealthReport& health, std::ostream& out) {
    auto uses = Json::array();
    for (const auto& use : history.uses)
        uses.push_back(useJson(query, use));
    const Json json{{"schema_version", kSchemaVersion},
                    {"address", hexJson(query.address)},
                    {"count", history.count},
                    {"uses", std::move(uses)},
                    {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
