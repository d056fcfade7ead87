#pragma once

#include "core/fleet/questions/build_runs.h"

#include <string>
#include <vector>

namespace highwater::fleet {

/// "build 8123 on machine lab-17 in scenario night", of what the filter names.
[[nodiscard]] std::string runsOfText(const std::string& build, const SampleFilter& filter);
/// That there are no runs of a build, and of which there are.
[[nodiscard]] Error noRuns(const std::string& build, const SampleFilter& filter, const std::vector<StoredRun>& all);
/// What makes a comparison weaker than it looks.
[[nodiscard]] std::vector<std::string> comparisonNotes(const std::string& fromBuild, const BuildRuns& from,
                                                       const std::string& toBuild, const BuildRuns& to);

} // namespace highwater::fleet
