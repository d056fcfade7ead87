#pragma once

#include "core/fleet/questions/build_runs.h"

#include <set>
#include <string>
#include <vector>

namespace highwater::fleet {

/// "build 8123 on machine lab-17 in scenario night", of what the filter names.
[[nodiscard]] std::string runsOfText(const std::string& build, const SampleFilter& filter);
/// That there are no runs of a build, and of which there are.
[[nodiscard]] Error noRuns(const std::string& build, const SampleFilter& filter, const std::vector<StoredRun>& all);
/// That there is none of that name, and which there are.
[[nodiscard]] Error noWindow(const std::string& window, const std::set<std::string>& all);
[[nodiscard]] Error noProcess(const std::string& process, const std::set<std::string>& all);
[[nodiscard]] Error noStack(const summary::StackKey& key);
/// What makes a comparison of two builds among these runs weaker than it looks.
[[nodiscard]] std::vector<std::string> comparisonNotes(const std::vector<StoredRun>& runs, const std::string& fromBuild,
                                                       const std::string& toBuild);
/// That of the two builds these processes ran in one alone.
void noteProcessesOfOne(std::vector<std::string>& notes, const std::string& build,
                        const std::vector<std::string>& processes);
void noteWithoutNames(std::vector<std::string>& notes, std::size_t withoutNames, std::size_t stacks);

} // namespace highwater::fleet
