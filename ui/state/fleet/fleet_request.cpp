#include "ui/state/fleet/fleet_request.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace highwater::ui {

FleetContents contentsOf(const std::vector<fleet::RunRow>& runs) {
    constexpr auto kNever = std::numeric_limits<std::int64_t>::max();
    std::map<std::string, std::int64_t> firstOf;
    std::set<std::string> scenarios, machines;
    std::vector<std::string> windows{fleet::SampleFilter().window};
    for (const auto& row : runs) {
        const auto at = row.facts.recordedAt.value_or(kNever);
        const auto [known, isNew] = firstOf.emplace(row.facts.build, at);
        if (!isNew) known->second = std::min(known->second, at);
        if (!row.facts.scenario.empty()) scenarios.insert(row.facts.scenario);
        if (!row.facts.machine.empty()) machines.insert(row.facts.machine);
        for (const auto& window : row.windows)
            if (std::find(windows.begin(), windows.end(), window) == windows.end()) windows.push_back(window);
    }
    FleetContents contents{
        runs.size(), {}, {scenarios.begin(), scenarios.end()}, {machines.begin(), machines.end()}, std::move(windows)};
    for (const auto& [build, at] : firstOf)
        contents.builds.push_back(build);
    std::stable_sort(contents.builds.begin(), contents.builds.end(),
                     [&](const auto& a, const auto& b) { return firstOf[a] < firstOf[b]; });
    return contents;
}

} // namespace highwater::ui
