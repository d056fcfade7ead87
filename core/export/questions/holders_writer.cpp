#include "core/export/questions/holders_writer.h"

#include "core/base/text.h"
#include "core/export/csv_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace highwater::exports {
namespace {

using analysis::HeldMemory, analysis::Holder, analysis::ProcessHolders;

std::span<const Holder> firstOf(const ProcessHolders& process, std::size_t top) {
    return std::span(process.holders).first(std::min(top, process.holders.size()));
}

} // namespace

Json holderJson(const Holder& holder) {
    return {{"owner", holder.owner},
            {"blocks", holder.rows},
            {"resident_bytes", holder.resident},
            {"held_pages_bytes", holder.heldPages}};
}

void writeHoldersText(const std::vector<ProcessHolders>& processes, std::size_t top, std::ostream& out) {
    for (const auto& process : processes) {
        out << (&process == processes.data() ? "" : "\n")
            << fmt::format("Heap blocks in RAM of {} at {} s, by owner\n\n", printable(process.name),
                           allDecimals(process.time));
        if (process.holders.empty()) {
            out << (process.isKnown() ? "No recorded heap block of this process was in RAM." : meaningOf(process))
                << '\n';
            continue;
        }
        out << fmt::format("{:>11}  {:>11}  {:>11}  {}\n", "Held Pages", "Resident", "Blocks", "Owner");
        const auto line = [&out](const HeldMemory& memory, const std::string& owner) {
            out << fmt::format("{:>11}  {:>11}  {:>11}  {}\n", bytesText(memory.heldPages), bytesText(memory.resident),
                               thousands(memory.rows), owner);
        };
        const auto shown = firstOf(process, top);
        for (const auto& holder : shown)
            line(holder, printable(holder.owner));
        line(process.all, "All owners together");
        if (const auto more = process.holders.size() - shown.size(); more > 0)
            out << fmt::format("{} more {} not listed; increase --top to list {}\n", thousands(more),
                               more == 1 ? "owner is" : "owners are", more == 1 ? "it" : "them");
        if (const auto meaning = meaningOf(process); !meaning.empty()) out << '\n' << meaning << '\n';
    }
}

void writeHoldersCsv(const std::vector<ProcessHolders>& processes, std::size_t top, std::ostream& out) {
    out << "at_s,process,owner,blocks,resident_bytes,held_pages_bytes\n";
    for (const auto& process : processes) {
        for (const auto& holder : firstOf(process, top))
            out << fmt::format("{},{},{},{},{},{}\n", dumped(secondsJson(process.time)), csvField(process.name),
                               csvField(holder.owner), holder.rows, holder.resident, holder.heldPages);
    }
}

void writeHoldersJson(const std::vector<ProcessHolders>& processes, std::size_t top, const HealthReport& health,
                      std::ostream& out) {
    auto list = Json::array();
    for (const auto& process : processes) {
        auto holders = Json::array();
        for (const auto& holder : firstOf(process, top))
            holders.push_back(holderJson(holder));
        list.push_back({{"process", process.name},
                        {"at_s", secondsJson(process.time)},
                        {"complete", process.isComplete()},
                        {"blocks", process.all.rows},
                        {"resident_bytes", process.isKnown() ? Json(process.all.resident) : Json()},
                        {"held_pages_bytes", process.isKnown() ? Json(process.all.heldPages) : Json()},
                        {"owners", process.holders.size()},
                        {"holders", std::move(holders)}});
    }
    const Json json{{"schema_version", kSchemaVersion}, {"processes", std::move(list)}, {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
