#include "core/export/info/info_lists.h"

#include "core/export/info/providers.h"
#include "core/store/published/processes_by_pid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace highwater::exports {
namespace {

std::string hexText(Address address) { return fmt::format("0x{:x}", address); }

Json imagesJson(const store::ProcessTable& table, const store::ProcessInstance& process) {
    auto list = Json::array();
    for (const auto& image : process.images)
        list.push_back({{"name", table.module(image.module).name},
                        {"base", hexText(image.base)},
                        {"size", image.size},
                        {"loaded_s", secondsJson(image.loaded)},
                        {"unloaded_s", secondsJson(image.unloaded)}});
    return list;
}

/// The identity of the debug file: a PDB with GUID and age, or a build-id.
void addIdentity(const ModuleIdentity& identity, Json& entry) {
    const auto buildId = buildIdOfPdb(identity.pdbName);
    const bool hasPdb = buildId.empty() && !identity.pdbName.empty();
    entry["pdb"] = hasPdb ? Json(identity.pdbName) : Json();
    entry["pdb_guid"] = hasPdb ? Json(toString(identity.pdbGuid)) : Json();
    entry["pdb_age"] = hasPdb ? Json(identity.pdbAge) : Json();
    entry["build_id"] = orNull(buildId);
}

const char* originWord(SnapshotOrigin origin) {
    switch (origin) {
    case SnapshotOrigin::Periodic:
        return "periodic";
    case SnapshotOrigin::Growth:
        return "growth";
    case SnapshotOrigin::Windows:
        return "windows";
    case SnapshotOrigin::Asked:
    case SnapshotOrigin::Count_:
        break;
    }
    return "asked";
}

} // namespace

Json orNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json providersJson(const RecordCounts& counts) {
    auto list = Json::array();
    for (const auto& provider : providersOf(counts))
        list.push_back({{"guid", provider.guid ? Json(toString(*provider.guid)) : Json()},
                        {"name", orNull(std::string(provider.name))},
                        {"events", provider.events}});
    return list;
}

Json processesJson(const store::ProcessTable& table, ProcessDetail detail) {
    auto list = Json::array();
    for (std::uint32_t i = 0; i < table.processes().size(); ++i) {
        const ProcessIndex index{i};
        const auto& process = table[index];
        if (process.pid == 0 && !process.nameKnown) continue; // pseudo process for kernel images
        Json entry{{"name", process.name},
                   {"earlier_names", table.earlierNames(index)},
                   {"pid", process.pid},
                   {"start_s", secondsJson(process.start)},
                   {"end_s", secondsJson(process.end)}};
        if (detail == ProcessDetail::Everything) {
            entry["parent_pid"] = process.parentPid;
            entry["session_id"] = process.sessionId;
            entry["command_line"] = orNull(process.commandLine);
            entry["images"] = imagesJson(table, process);
        }
        list.push_back(std::move(entry));
    }
    return list;
}

Json modulesJson(const store::ProcessTable& table) {
    std::map<std::uint32_t, std::pair<ByteCount, std::uint64_t>> loads; // largest size and number of loads, by module
    for (const auto& process : table.processes()) {
        for (const auto& image : process.images) {
            auto& [size, count] = loads[image.module.value];
            size = std::max(size, image.size);
            ++count;
        }
    }
    auto list = Json::array();
    for (std::uint32_t i = 0; i < table.modules().size(); ++i) {
        const auto& module = table.modules()[i];
        if (module.isIl) continue;
        const auto& [size, count] = loads[i];
        Json entry{{"name", module.name},
                   {"path", table.dosPath(module.path)},
                   {"size", size > 0 ? size : ByteCount{module.identity.imageSize}},
                   {"time_stamp", module.identity.timeDateStamp},
                   {"loads", count}};
        addIdentity(module.identity, entry);
        list.push_back(std::move(entry));
    }
    return list;
}

Json marksJson(const std::vector<Mark>& marks) {
    auto list = Json::array();
    for (const auto& mark : marks)
        list.push_back({{"name", mark.name}, {"time_s", secondsJson(mark.time)}});
    return list;
}

Json snapshotsJson(const store::SharedSnapshots& snapshots) {
    auto list = Json::array();
    if (!snapshots) return list;
    for (const auto& snapshot : *snapshots) {
        const auto pid = snapshot.pid == kAllProcesses ? Json() : Json(snapshot.pid);
        list.push_back({{"number", snapshot.number},
                        {"time_s", secondsJson(snapshot.time)},
                        {"pid", pid},
                        {"origin", originWord(snapshot.origin)}});
    }
    return list;
}

Json picturesJson(const store::PublishedTrace& trace) {
    auto list = Json::array();
    if (!trace.pictures) return list;
    const store::ProcessesByPid byPid(*trace.processes);
    for (const auto& picture : *trace.pictures) {
        const auto process = byPid.at(picture->pid, picture->time);
        ByteCount bytes = 0;
        for (const auto& block : picture->blocks)
            bytes += block.bytes;
        list.push_back({{"number", list.size() + 1},
                        {"time_s", secondsJson(picture->time)},
                        {"process", process ? trace.processes->key(*process) : fmt::format("({})", picture->pid)},
                        {"blocks", picture->blocks.size()},
                        {"bytes", bytes}});
    }
    return list;
}

Json lostZonesJson(const std::vector<LostZone>& zones) {
    auto list = Json::array();
    for (const auto& zone : zones)
        list.push_back({{"start_s", secondsJson(zone.start)},
                        {"end_s", secondsJson(zone.end)},
                        {"start_is", describe(zone.startEdge)},
                        {"end_is", describe(zone.endEdge)},
                        {"what", zone.what},
                        {"count", zone.count > 0 ? Json(zone.count) : Json()},
                        {"counted", zone.count > 0 ? orNull(std::string(countedIn(zone))) : Json()}});
    return list;
}

} // namespace highwater::exports
