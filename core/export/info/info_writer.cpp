#include "core/export/info/info_writer.h"

#include "core/base/text.h"
#include "core/etl/raw_record.h"
#include "core/event/opcodes.h"
#include "core/export/json_text.h"

#include <fmt/format.h>

namespace highwater::exports {
namespace {

constexpr auto kSchemaMember = "schema_version"; ///< people do not need it

Json headersJson(const RecordCounts& counts) {
    auto headers = Json::object();
    for (std::size_t type = 0; type < counts.byHeaderType.size(); ++type) {
        if (counts.byHeaderType[type] == 0) continue;
        headers[etl::name(static_cast<etl::HeaderType>(type))] = counts.byHeaderType[type];
    }
    return headers;
}

Json processesJson(const store::ProcessTable& table) {
    auto list = Json::array();
    for (const auto& process : table.processes()) {
        if (process.pid == 0 && !process.nameKnown) continue; // stands for the images of the kernel
        list.push_back({{"name", process.name},
                        {"pid", process.pid},
                        {"start_s", secondsJson(process.start)},
                        {"end_s", secondsJson(process.end)}});
    }
    return list;
}

Json marksJson(const std::vector<Mark>& marks) {
    auto list = Json::array();
    for (const auto& mark : marks)
        list.push_back({{"name", mark.name}, {"time_s", secondsJson(mark.time)}});
    return list;
}

/// Start, end and both rundowns of threads; the class has other records (scheduling) besides.
std::uint64_t countThreadEvents(const RecordCounts& counts) {
    const auto& opcodes = counts.byGroup[group::kThread];
    return opcodes[1] + opcodes[2] + opcodes[3] + opcodes[4];
}

Json infoJson(const TraceInfo& info) {
    const auto& [properties, files, counts] = info.facts;
    const auto& health = info.trace.health;
    const auto& memory = counts.byGroup[group::kMemory];
    return {
        {kSchemaMember, kSchemaVersion},
        {"bytes", properties.fileBytes},
        {"os_build", properties.osBuild},
        {"pointer_bytes", properties.pointerBytes},
        {"processors", properties.processors},
        {"duration_s", secondsJson(info.trace.horizon)},
        {"buffers", files.buffers},
        {"buffers_compressed", files.buffersCompressed},
        {"events_total", counts.total},
        {"events_by_header", headersJson(counts)},
        {"image_events", counts.group(group::kImage)},
        {"image_id_events", counts.imageIds},
        {"process_events", counts.group(group::kProcess)},
        {"thread_events", countThreadEvents(counts)},
        {"stack_events", counts.group(group::kStackWalk)},
        {"extended_stacks", counts.extendedStacks},
        {"heap_events", counts.group(group::kHeap)},
        {"virtual_alloc_events", memory[98]},
        {"virtual_free_events", memory[99]},
        {"events_lost", health[Loss::EventsLost]},
        {"buffers_lost", health[Loss::BuffersLost]},
        {"stacks_unresolved", health[Loss::StacksUnresolved]},
        {"unmatched_frees", health[Loss::UnmatchedFrees]},
        {"processes", processesJson(*info.trace.processes)},
        {"marks", marksJson(info.notes.marks)},
        {"health", healthJson(health)},
    };
}

std::string secondsText(const Json& seconds) {
    return seconds.is_null() ? "-" : fmt::format("{:.3f}", seconds.get<double>());
}

} // namespace

void writeInfoText(const TraceInfo& info, std::ostream& out) {
    const auto facts = infoJson(info);
    for (const auto& [name, value] : facts.items()) {
        if (value.is_object()) {
            for (const auto& [header, count] : value.items()) {
                out << fmt::format("{:<22}{:>14}  {}\n", name, dumped(count), header);
            }
        } else if (!value.is_array() && name != kSchemaMember) {
            out << fmt::format("{:<22}{:>14}\n", name, dumped(value));
        }
    }
    out << fmt::format("\n{:>8} {:>12} {:>12}  {}\n", "pid", "start_s", "end_s", "process");
    for (const auto& process : facts["processes"]) {
        out << fmt::format("{:>8} {:>12} {:>12}  {}\n", process["pid"].get<std::uint32_t>(),
                           secondsText(process["start_s"]), secondsText(process["end_s"]),
                           printable(process["name"].get<std::string>()));
    }
    if (facts["marks"].empty()) return;
    out << fmt::format("\n{:>8}  {}\n", "time_s", "mark");
    for (const auto& mark : facts["marks"])
        out << fmt::format("{:>8}  {}\n", secondsText(mark["time_s"]), printable(mark["name"].get<std::string>()));
}

void writeInfoJson(const TraceInfo& info, std::ostream& out) { out << dumped(infoJson(info), 2) << '\n'; }

} // namespace highwater::exports
