#include "core/fleet/questions/process_values.h"

#include <algorithm>

namespace highwater::fleet {
namespace {

template <typename Use>
void eachValue(const StoredRun& run, const SampleFilter& filter, const Use& use) {
    for (const auto& memory : run.row.facts.resident) {
        if (!filter.process.empty() && memory.process != filter.process) continue;
        if (const auto value = valueOf(memory, filter.measure)) use(memory.process, *value);
    }
}

bool hasValue(const StoredRun& run, const SampleFilter& filter) {
    bool isFound = false;
    eachValue(run, filter, [&](const std::string&, std::int64_t) { isFound = true; });
    return isFound;
}

} // namespace

std::optional<std::int64_t> valueOf(const summary::ResidentFacts& memory, Measure measure) {
    return measure == Measure::Held ? memory.held : std::optional(memory.rssPeak);
}

bool isSampled(const std::vector<StoredRun>& runs, const std::string& process) {
    return std::ranges::any_of(runs, [&](const auto& run) {
        return std::ranges::find(run.row.facts.resident, process, &summary::ResidentFacts::process) !=
               run.row.facts.resident.end();
    });
}

RunsOfProcesses runsWithValues(const std::vector<StoredRun>& runs, const SampleFilter& filter) {
    RunsOfProcesses found;
    for (const auto& run : runs)
        eachValue(run, filter, [&](const std::string& process, std::int64_t) { found[process].insert(run.number); });
    return found;
}

void passValues(const std::vector<StoredRun>& runs, const SampleFilter& filter, const FleetReader::PlaceSink& sink) {
    std::map<std::string, std::vector<RunValue>> ofProcesses;
    for (const auto& run : runs)
        eachValue(run, filter, [&](const std::string& process, std::int64_t value) {
            ofProcesses[process].push_back({run.number, value});
        });
    for (const auto& [process, values] : ofProcesses)
        sink({.key = {}, .process = process}, values);
}

std::vector<RunOfStack> valuesOfRuns(const std::vector<StoredRun>& runs, const SampleFilter& filter) {
    std::vector<RunOfStack> found;
    for (const auto& run : runs)
        eachValue(run, filter, [&](const std::string& process, std::int64_t value) {
            const auto end = run.row.facts.duration;
            found.push_back({run.number, process, value, 0, end, 0, end});
        });
    return found;
}

std::map<std::string, std::size_t> removeUnknown(std::vector<StoredRun>& runs, const SampleFilter& filter,
                                                 const RunsOfProcesses& processes) {
    const auto process = processes.find(filter.process);
    std::map<std::string, std::size_t> unknown;
    std::erase_if(runs, [&](const auto& run) {
        if (hasValue(run, filter)) return false;
        const bool isMeant =
            filter.process.empty() || (process != processes.end() && process->second.contains(run.number));
        if (isMeant) ++unknown[run.row.facts.build];
        return true;
    });
    return unknown;
}

} // namespace highwater::fleet
