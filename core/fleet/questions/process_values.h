#pragma once

#include "core/fleet/questions/build_runs.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace highwater::fleet {

// Values of measures of processes (isOfProcesses), from the facts of runs. A run without a value has none: it is
// unknown, not 0.

/// Runs that have a process, by its name.
using RunsOfProcesses = std::map<std::string, RunNumbers>;

[[nodiscard]] std::optional<std::int64_t> valueOf(const summary::ResidentFacts& memory, Measure measure);

/// Whether any run has samples of a process with this name, which may have no rows.
[[nodiscard]] bool isSampled(const std::vector<StoredRun>& runs, const std::string& process);
/// Runs of each process of the filter that have a value.
[[nodiscard]] RunsOfProcesses runsWithValues(const std::vector<StoredRun>& runs, const SampleFilter& filter);
/// Passes each process of the filter once, with the values of its runs. Its place has no stack.
void passValues(const std::vector<StoredRun>& runs, const SampleFilter& filter, const FleetReader::PlaceSink& sink);
/// All values of the filter, in any order.
[[nodiscard]] std::vector<RunOfStack> valuesOfRuns(const std::vector<StoredRun>& runs, const SampleFilter& filter);

/// Keeps runs that have a value of the filter. Returns the others that have the process, by build: processes are those
/// of the runs' samples.
std::map<std::string, std::size_t> removeUnknown(std::vector<StoredRun>& runs, const SampleFilter& filter,
                                                 const RunsOfProcesses& processes);

} // namespace highwater::fleet
