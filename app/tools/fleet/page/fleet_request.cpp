#include "app/tools/fleet/page/fleet_request.h"

#include "core/fleet/contract/build_order.h"

#include <algorithm>
#include <set>
#include <utility>

namespace highwater::ui {

FleetContents contentsOf(const std::vector<fleet::RunRow>& runs) {
    fleet::BuildOrder order;
    std::set<std::string> scenarios, machines;
    std::vector<std::string> windows{fleet::SampleFilter().window};
    for (const auto& row : runs) {
        order.add(row.facts);
        if (!row.facts.scenario.empty()) scenarios.insert(row.facts.scenario);
        if (!row.facts.machine.empty()) machines.insert(row.facts.machine);
        for (const auto& window : row.windows)
            if (std::find(windows.begin(), windows.end(), window) == windows.end()) windows.push_back(window);
    }
    FleetContents contents{
        runs.size(), {}, {scenarios.begin(), scenarios.end()}, {machines.begin(), machines.end()}, std::move(windows)};
    for (auto& build : order.builds())
        contents.builds.push_back(std::move(build.build));
    return contents;
}

} // namespace highwater::ui
