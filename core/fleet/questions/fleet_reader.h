#pragma once

#include "core/base/result.h"
#include "core/fleet/contract/fleet_question.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::fleet {

/// A run in a store.
struct StoredRun {
    RunRow row;
    std::uint64_t number = 0; ///< identifies the run in values of the same answer
    std::size_t framesUnnamed = 0;
};

/// A stack of one table and process, the unit that engines group by.
struct StackPlace {
    summary::StackKey key;
    analysis::Table table = analysis::Table::Heap;
    std::string process;
    friend auto operator<=>(const StackPlace&, const StackPlace&) = default;
};
struct RunValue {
    std::uint64_t run = 0; ///< StoredRun::number
    std::int64_t value = 0;
};

/// Selects values of runs of these builds.
struct ValueQuery {
    std::vector<std::string> builds; ///< one or two
    SampleFilter samples;
    /// Stacks may be omitted if their values, including 0, differ by less than this.
    std::int64_t leastSpan = 0;
    /// Includes runs that have the stack with a value of 0; stacks with only zeros may be omitted. Otherwise only other
    /// values.
    bool withZeros = false;
};

/// A process of a run in a window, and the names of a run's windows.
struct RunProcess {
    std::uint64_t run = 0; ///< StoredRun::number
    std::string process;
};
struct RunWindow {
    std::uint64_t run = 0;
    std::string window;
};

/// A stack in one run.
struct RunOfStack {
    std::uint64_t run = 0;
    std::string process;
    std::int64_t value = 0;
    std::int64_t start = 0, end = 0, first = 0, last = 0;
};

/// The operations of an engine: filtering and grouping. All conclusions are drawn from this in asked_store.cpp, so that
/// all engines give the same answers.
class FleetReader {
  public:
    virtual ~FleetReader() = default;

    /// Filters by build, machine and scenario only. In the order of recording; unknown times last.
    [[nodiscard]] virtual Result<std::vector<StoredRun>> storedRuns(const RunFilter& filter,
                                                                    const std::stop_token& stop) = 0;
    /// In any order, possibly with duplicates, and including runs that were added after the runs were read.
    [[nodiscard]] virtual Result<std::vector<RunProcess>> processesOfRuns(const std::string& window,
                                                                          const std::stop_token& stop) = 0;
    /// Windows of a run are in order.
    [[nodiscard]] virtual Result<std::vector<RunWindow>> windowsOfRuns(const std::stop_token& stop) = 0;
    /// Stacks that contain unnamed functions: other builds have them under other keys.
    [[nodiscard]] virtual Result<std::vector<summary::StackKey>> stacksWithoutNames(const std::stop_token& stop) = 0;
    /// Each place once, in any order.
    using PlaceSink = std::function<void(const StackPlace& place, std::span<const RunValue> values)>;
    [[nodiscard]] virtual Result<void> values(const ValueQuery& query, const PlaceSink& sink,
                                              const std::stop_token& stop) = 0;
    /// One stack in runs of a build (empty: all builds), including runs with a value of 0.
    [[nodiscard]] virtual Result<std::vector<RunOfStack>> runsOfStack(const summary::StackKey& stack,
                                                                      analysis::Table table, const SampleFilter& filter,
                                                                      const std::string& build,
                                                                      const std::stop_token& stop) = 0;
    /// Fills in owners and frames. Unknown stacks get none.
    [[nodiscard]] virtual Result<void> nameStacks(const std::vector<FleetStack*>& stacks,
                                                  const std::stop_token& stop) = 0;
};

} // namespace highwater::fleet
