#pragma once

#include "core/fleet/questions/fleet_reader.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace highwater::fleet {

/// The runs of one side of a question, and the values of one stack in them: 0 in runs that do not have it. One thread.
class BuildRuns {
  public:
    /// Those of the runs that are of this build.
    BuildRuns(const std::vector<StoredRun>& runs, const std::string& build);

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] const std::vector<std::string>& machines() const { return machines_; }
    [[nodiscard]] std::size_t runsNotWhole() const { return notWhole_; }

    /// Takes the values of its runs out of these, and lets go of the last ones. How many of them were its own.
    std::size_t take(std::span<const RunValue> values);
    void add(std::uint64_t run, std::int64_t value);
    void clear();
    [[nodiscard]] std::span<const std::int64_t> values() const { return values_; }
    [[nodiscard]] Side side() const;

  private:
    std::vector<std::string> machines_;
    std::vector<std::vector<std::size_t>> runsOfMachine_;
    std::unordered_map<std::uint64_t, std::size_t> places_; ///< by StoredRun::number
    std::vector<std::int64_t> values_;
    std::size_t notWhole_ = 0;
};

/// Builds by their first recording, what is not known last; of each its name and that time.
[[nodiscard]] std::vector<BuildValue> buildsInOrder(const std::vector<StoredRun>& runs);

/// Which of these sides, in the order of builds, is the first of those that are higher than all before it
/// (docs/fleet.md).
[[nodiscard]] std::optional<std::size_t> firstHigherBuild(const std::vector<std::vector<std::int64_t>>& builds);

} // namespace highwater::fleet
