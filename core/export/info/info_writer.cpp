#include "core/export/info/info_writer.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/info/info_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <utility>

namespace highwater::exports {
namespace {

constexpr auto kSchemaMember = "schema_version"; ///< omitted in text
constexpr auto kFirstBelowHead = "bytes";        ///< members before it describe where and how the trace was recorded
constexpr std::size_t kMostLines = 24;           ///< limit for lists whose length depends on the file

/// The title of a member.
using TitleOf = std::string (*)(std::string_view);

std::string keyOf(std::string_view member) { return std::string(member); }

char raised(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

/// "peak_private_s" as "Peak private (s)".
std::string plainTitleOf(std::string_view member) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOwnTitles{
        {{"bytes", "Size (bytes)"},
         {"health", "Missing data"},
         {"os_build", "Windows build"},
         {"whole_before_s", "Complete before (s)"}}};
    constexpr std::array<std::string_view, 6> kAbbreviations{"clr", "gc", "guid", "id", "il", "pid"};
    for (const auto& [own, title] : kOwnTitles)
        if (own == member) return std::string(title);
    std::string title;
    for (const auto part : std::views::split(member, '_')) {
        std::string word(part.begin(), part.end());
        if (std::ranges::find(kAbbreviations, word) != kAbbreviations.end())
            std::ranges::transform(word, word.begin(), raised);
        else if (word == "s")
            word = "(s)";
        title += (title.empty() ? "" : " ") + word;
    }
    if (!title.empty()) title.front() = raised(title.front());
    return title;
}

std::string secondsText(const Json& seconds) {
    const auto time = timeFromJson(seconds);
    return time ? fmt::format("{:.3f}", time->seconds()) : "-";
}

std::string textOf(const Json& member) { return member.is_null() ? "-" : printable(member.get<std::string>()); }

void writeMore(std::size_t all, std::ostream& out) {
    if (all > kMostLines) out << fmt::format("  ({} more: --json)\n", all - kMostLines);
}

/// One line per member. Texts have their own column after the right-aligned numbers.
void writeMember(const std::string& name, const Json& value, TitleOf titleOf, std::ostream& out) {
    if (name == kSchemaMember || value.is_null() || value == false) return;
    const auto title = titleOf(name);
    if (value.is_object()) {
        std::size_t lines = 0;
        for (const auto& [key, count] : value.items()) {
            if (++lines <= kMostLines) out << fmt::format("{:<22}{:>14}  {}\n", title, dumped(count), titleOf(key));
        }
        writeMore(lines, out);
    } else if (value.is_string()) {
        out << fmt::format("{:<22}  {}\n", title, printable(value.get<std::string>()));
    } else if (!value.is_array()) {
        out << fmt::format("{:<22}{:>14}\n", title, value.is_boolean() ? "yes" : dumped(value));
    }
}

void writeProviders(const Json& providers, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>12}  {:<36}  {}\n", titleOf("events"), titleOf("guid"), titleOf("provider"));
    for (std::size_t i = 0; i < std::min(providers.size(), kMostLines); ++i) {
        const auto& provider = providers[i];
        out << fmt::format("{:>12}  {:<36}  {}\n", provider["events"].get<std::uint64_t>(), textOf(provider["guid"]),
                           textOf(provider["name"]));
    }
    writeMore(providers.size(), out);
}

void writeProcesses(const Json& processes, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>8} {:>12} {:>12}  {}\n", titleOf("pid"), titleOf("start_s"), titleOf("end_s"),
                       titleOf("process"));
    for (const auto& process : processes) {
        auto name = process["name"].get<std::string>();
        for (const auto* between = ", earlier: "; const auto& before : process["earlier_names"])
            name += std::exchange(between, ", ") + before.get<std::string>();
        out << fmt::format("{:>8} {:>12} {:>12}  {}\n", dumped(process["pid"]), secondsText(process["start_s"]),
                           secondsText(process["end_s"]), printable(name));
        if (!process.contains("images")) continue;
        out << fmt::format("{:>8} parent {}, session {}, {}", "", process["parent_pid"].get<std::uint32_t>(),
                           process["session_id"].get<std::uint32_t>(), counted(process["images"].size(), "image"));
        if (!process["command_line"].is_null()) out << ": " << textOf(process["command_line"]);
        out << '\n';
    }
}

void writeMemoryPeaks(const Json& peaks, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>18} {:>12} {:>22} {:>12} {:>8}  {}\n", titleOf("peak_private_bytes"), titleOf("peak_s"),
                       titleOf("peak_working_set_bytes"), titleOf("peak_s"), titleOf("samples"), titleOf("process"));
    for (const auto& peak : peaks)
        out << fmt::format("{:>18} {:>12} {:>22} {:>12} {:>8}  {}\n", peak["peak_private_bytes"].get<std::uint64_t>(),
                           secondsText(peak["peak_private_s"]), peak["peak_working_set_bytes"].get<std::uint64_t>(),
                           secondsText(peak["peak_working_set_s"]), peak["samples"].get<std::uint64_t>(),
                           textOf(peak["process"]));
}

void writeResidentPeaks(const Json& peaks, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>16} {:>12} {:>10} {:>8}  {}\n", titleOf("peak_rss_bytes"), titleOf("peak_s"),
                       titleOf("explained"), titleOf("samples"), titleOf("process"));
    for (const auto& peak : peaks) {
        const auto& share = peak["explained_share"];
        out << fmt::format("{:>16} {:>12} {:>10} {:>8}  {}\n", peak["peak_rss_bytes"].get<std::uint64_t>(),
                           secondsText(peak["peak_s"]),
                           share.is_null() ? "-" : fmt::format("{:.1f} %", 100 * share.get<double>()),
                           peak["samples"].get<std::uint64_t>(), textOf(peak["process"]));
    }
}

std::string identityText(const Json& module) {
    if (!module["build_id"].is_null()) return "build-id " + printable(module["build_id"].get<std::string>());
    if (module["pdb"].is_null()) return "-";
    return fmt::format("{} {} {}", module["pdb_guid"].get<std::string>(), module["pdb_age"].get<std::uint32_t>(),
                       printable(module["pdb"].get<std::string>()));
}

void writeModules(const Json& modules, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>12} {:>10}  {:<60}  {}\n", titleOf("size"), titleOf("time_stamp"), titleOf("identity"),
                       titleOf("module"));
    for (const auto& module : modules) {
        out << fmt::format("{:>12} {:>10}  {:<60}  {}\n", module["size"].get<std::uint64_t>(),
                           fmt::format("{:08x}", module["time_stamp"].get<std::uint32_t>()), identityText(module),
                           printable(module["path"].get<std::string>()));
    }
}

void writeMarks(const Json& marks, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>8}  {}\n", titleOf("time_s"), titleOf("mark"));
    for (const auto& mark : marks)
        out << fmt::format("{:>8}  {}\n", secondsText(mark["time_s"]), printable(mark["name"].get<std::string>()));
}

void writeSnapshots(const Json& snapshots, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>8} {:>12} {:>10}  {}\n", titleOf("snapshot"), titleOf("time_s"), titleOf("pid"),
                       titleOf("origin"));
    for (const auto& snapshot : snapshots)
        out << fmt::format("{:>8} {:>12} {:>10}  {}\n", snapshot["number"].get<std::uint32_t>(),
                           secondsText(snapshot["time_s"]), snapshot["pid"].is_null() ? "all" : dumped(snapshot["pid"]),
                           textOf(snapshot["origin"]));
}

void writePictures(const Json& pictures, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>8} {:>12} {:>12} {:>18}  {}\n", titleOf("picture"), titleOf("time_s"), titleOf("blocks"),
                       titleOf("bytes"), titleOf("process"));
    for (const auto& picture : pictures)
        out << fmt::format("{:>8} {:>12} {:>12} {:>18}  {}\n", picture["number"].get<std::uint64_t>(),
                           secondsText(picture["time_s"]), picture["blocks"].get<std::uint64_t>(),
                           picture["bytes"].get<std::uint64_t>(), textOf(picture["process"]));
}

/// "4 buffers"
std::string countText(const Json& zone) {
    if (zone["count"].is_null() || zone["counted"].is_null()) return "-";
    const auto count = zone["count"].get<std::uint64_t>();
    auto unit = zone["counted"].get<std::string>();
    if (count == 1) unit.pop_back();
    return fmt::format("{} {}", count, unit);
}

void writeLostZones(const Json& zones, TitleOf titleOf, std::ostream& out) {
    out << fmt::format("\n{:>12} {:>12} {:>18}  {}\n", titleOf("start_s"), titleOf("end_s"), titleOf("count"),
                       titleOf("lost"));
    for (const auto& zone : zones)
        out << fmt::format("{:>12} {:>12} {:>18}  {}: from {} to {}\n", secondsText(zone["start_s"]),
                           secondsText(zone["end_s"]), countText(zone), textOf(zone["what"]), textOf(zone["start_is"]),
                           textOf(zone["end_is"]));
}

/// The reliability of the numbers below, worst first. The full sentences go to stderr.
void writeHealth(const HealthReport& health, TitleOf titleOf, std::ostream& out) {
    const auto entries = health.entries();
    const auto* verdict = health.totalsAreBounds() ? "totals are bounds" : "nothing that affects totals is missing";
    out << fmt::format("{:<22}  {}\n", titleOf("health"), entries.empty() ? "nothing is missing" : verdict);
    for (const auto& entry : entries) {
        if (entry.name.empty()) // a sentence counts nothing, or contains its count
            out << fmt::format("{:<22}  {}\n", "", printable(entry.sentence));
        else
            out << fmt::format("{:<22}{:>14}  {}\n", "", entry.count, printable(entry.counted));
    }
}

/// Facts that a recording in memory does not have before it is opened as a file.
bool isOfFile(std::string_view name) {
    return name == "bytes" || name == "buffers" || name == "buffers_compressed" || name == "buffers_by_stream";
}

/// Facts of Windows and of managed programs, which other traces do not have.
bool isOfSomeTraces(std::string_view name) {
    return name == "os_build" || name.starts_with("clr_") || name.starts_with("gc_");
}

} // namespace

void writeInfoText(const TraceInfo& info, std::ostream& out, InfoTitles titles) {
    const auto titleOf = titles == InfoTitles::Plain ? plainTitleOf : keyOf;
    const auto facts = infoJson(info);
    for (const auto& [name, value] : facts.items()) {
        if (name == kFirstBelowHead) writeHealth(info.trace.health, titleOf, out);
        if (facts["bytes"] == 0 && isOfFile(name)) continue;
        if (value == 0 && isOfSomeTraces(name)) continue;
        if (name == "sessions") {
            for (const auto& session : value)
                writeMember("session", session, titleOf, out);
        } else if (name == "heap_snapshots") {
            if (value["instances"] != 0) writeMember(name, value, titleOf, out);
        } else if (name != "streams" || value != facts["processors"]) {
            writeMember(name, value, titleOf, out);
        }
    }
    writeProviders(facts["providers"], titleOf, out);
    writeProcesses(facts["processes"], titleOf, out);
    if (!facts["process_memory"].empty()) writeMemoryPeaks(facts["process_memory"], titleOf, out);
    if (!facts["resident_memory"].empty()) writeResidentPeaks(facts["resident_memory"], titleOf, out);
    if (facts.contains("modules")) writeModules(facts["modules"], titleOf, out);
    if (!facts["marks"].empty()) writeMarks(facts["marks"], titleOf, out);
    if (!facts["snapshots"].empty()) writeSnapshots(facts["snapshots"], titleOf, out);
    if (!facts["pictures"].empty()) writePictures(facts["pictures"], titleOf, out);
    if (!facts["lost_zones"].empty()) writeLostZones(facts["lost_zones"], titleOf, out);
}

void writeInfoJson(const TraceInfo& info, std::ostream& out) { out << dumped(infoJson(info), 2) << '\n'; }

} // namespace highwater::exports
