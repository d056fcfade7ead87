#pragma once

#include "core/fleet/questions/fleet_reader.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace highwater::fleet {

/// Builds of runs in order (BuildOrder).
[[nodiscard]] std::vector<BuildValue> buildsInOrder(const std::vector<StoredRun>& runs);

/// Runs by StoredRun::number.
using RunNumbers = std::unordered_set<std::uint64_t>;

/// The runs of one side of a comparison, and the values of one stack in them: 0 in runs without the stack. One thread.
class BuildRuns {
  public:
    /// The runs of this build.
    BuildRuns(const std::vector<StoredRun>& runs, const std::string& build);
    /// The runs of this build that are also in `counted`.
    BuildRuns(const std::vector<StoredRun>& runs, const std::string& build, const RunNumbers& counted);

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] const std::vector<std::string>& machines() const { return machines_; }
    [[nodiscard]] std::size_t runsNotWhole() const { return notWhole_; }

    /// Replaces the values by those of its own runs among `values`. Returns the number of its own runs.
    std::size_t take(std::span<const RunValue> values);
    void add(std::uint64_t run, std::int64_t value);
    void clear();
    [[nodiscard]] std::span<const std::int64_t> values() const { return values_; }
    [[nodiscard]] Side side() const;

  private:
    void collect(const std::vector<StoredRun>& runs, const std::string& build, const RunNumbers* counted);

    std::vector<std::string> machines_;
    std::vector<std::vector<std::size_t>> runsOfMachine_;
    std::unordered_map<std::uint64_t, std::size_t> places_; ///< by StoredRun::number
    std::vector<std::int64_t> values_;
    std::size_t notWhole_ = 0;
};

/// Values by build, in the order of builds.
using ValuesOfBuilds = std::vector<std::vector<std::int64_t>>;
/// The index of the first build that is significantly higher than all earlier builds, by enough of the measure
/// (docs/fleet.md), and of the build that fixed it.
[[nodiscard]] std::optional<std::size_t> firstHigherBuild(const ValuesOfBuilds& builds, Measure measure);
[[nodiscard]] std::optional<std::size_t> fixedBuild(const ValuesOfBuilds& builds, std::size_t firstBad);

} // namespace highwater::fleet
