#pragma once

#include "core/fleet/questions/build_runs.h"
#include "core/fleet/questions/process_values.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace highwater::fleet {

/// Without its names.
[[nodiscard]] FleetStack stackOf(const StackPlace& place);

/// Two builds, over the runs that have a process, with the values of one of its rows. One thread.
class Comparison {
  public:
    Comparison(const std::vector<StoredRun>& runs, const std::string& fromBuild, const std::string& toBuild,
               const RunNumbers& counted)
        : from(runs, fromBuild, counted), to(runs, toBuild, counted) {}

    /// The row of the current values, without their probability.
    [[nodiscard]] GrownStack rowOf(const StackPlace& place) const;
    [[nodiscard]] double probability() const;
    /// The distance between the smallest and largest value of all runs.
    [[nodiscard]] std::int64_t span() const;
    [[nodiscard]] bool hasBoth() const { return from.size() > 0 && to.size() > 0; }
    [[nodiscard]] bool canTell() const { return hasBoth() && from.size() + to.size() > 2; }
    [[nodiscard]] bool hasEnoughForRanks() const;
    [[nodiscard]] bool isApart() const;

    BuildRuns from, to;
};

/// Compares two builds process by process: runs without the process of a stack could not have the stack, and are
/// ignored. One thread.
class Comparisons {
  public:
    /// processes: the runs that count for each.
    Comparisons(const std::vector<StoredRun>& runs, const std::string& fromBuild, const std::string& toBuild,
                const SampleFilter& filter, const RunsOfProcesses& processes,
                const std::vector<summary::StackKey>& unnamed);

    /// nullptr: one of the builds has no run with the process.
    [[nodiscard]] Comparison* of(const std::string& process);
    void countTested(const summary::StackKey& key);
    void describe(GrewAnswer& answer, const std::string& fromBuild, const std::string& toBuild) const;

  private:
    std::map<std::string, Comparison> ofProcesses_;
    Measure measure_;
    std::set<summary::StackKey> unnamed_;
    std::size_t tested_ = 0, withoutNames_ = 0;
};

} // namespace highwater::fleet
