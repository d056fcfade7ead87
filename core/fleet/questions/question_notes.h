#pragma once

#include "core/fleet/questions/build_runs.h"

#include <set>
#include <string>
#include <vector>

namespace highwater::fleet {

/// "build 8123 on machine lab-17 in scenario night", depending on the filter.
[[nodiscard]] std::string runsOfText(const std::string& build, const SampleFilter& filter);
/// No runs of a build; lists the builds that have runs.
[[nodiscard]] Error noRuns(const std::string& build, const SampleFilter& filter, const std::vector<StoredRun>& all);
/// No window or process of that name; lists the existing ones.
[[nodiscard]] Error noWindow(const std::string& window, const std::set<std::string>& all);
[[nodiscard]] Error noProcess(const std::string& process, const std::set<std::string>& all);
[[nodiscard]] Error noStack(const summary::StackKey& key);
/// Limitations of a comparison of two builds among these runs.
[[nodiscard]] std::vector<std::string> comparisonNotes(const std::vector<StoredRun>& runs, const std::string& fromBuild,
                                                       const std::string& toBuild);
/// Notes processes that only one of the two builds has, or of which only it has values of a measure of processes.
void noteProcessesOfOne(std::vector<std::string>& notes, const std::string& build,
                        const std::vector<std::string>& processes, Measure measure);
/// Notes runs that are not compared because the measure of processes is unknown, of `all` runs of the build.
void noteUnknown(std::vector<std::string>& notes, const std::string& build, Measure measure, std::size_t unknown,
                 std::size_t all);
void noteWithoutNames(std::vector<std::string>& notes, std::size_t withoutNames, std::size_t stacks);

} // namespace highwater::fleet
