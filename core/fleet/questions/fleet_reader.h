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

/// A run as a store has it.
struct StoredRun {
    RunRow row;
    std::uint64_t number = 0; ///< what values refer to it by; of this answer
    std::size_t framesUnnamed = 0;
};

/// A stack of one table and process, by what engines group by.
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

/// Which values engines are asked for, of runs of these builds.
struct ValueQuery {
    std::vector<std::string> builds; ///< one or two
    SampleFilter samples;
    /// Stacks whose values all lie nearer together than this, 0 among them, may be left out.
    std::int64_t leastSpan = 0;
    /// Also of runs that have the stack with a value of 0; stacks whose values are all 0 may be left out. Else those
    /// that are not 0.
    bool withZeros = false;
};

/// That a run has a process in a window, and what the windows of a run are called.
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

/// What engines are good at: to filter and to group. Everything that is judged is judged from this, in asked_store.cpp,
/// so that all engines give the same answers.
class FleetReader {
  public:
    virtual ~FleetReader() = default;

    /// By build, machine and scenario alone, in the order of recording; what is not known last.
    [[nodiscard]] virtual Result<std::vector<StoredRun>> storedRuns(const RunFilter& filter,
                                                                    const std::stop_token& stop) = 0;
    /// In any order, some perhaps twice, and also of runs that were added since runs were asked for.
    [[nodiscard]] virtual Result<std::vector<RunProcess>> processesOfRuns(const std::string& window,
                                                                          const std::stop_token& stop) = 0;
    /// Those of one run in their order.
    [[nodiscard]] virtual Result<std::vector<RunWindow>> windowsOfRuns(const std::stop_token& stop) = 0;
    /// Of which functions some have no name: other builds have them under other keys.
    [[nodiscard]] virtual Result<std::vector<summary::StackKey>> stacksWithoutNames(const std::stop_token& stop) = 0;
    /// Each place once, in any order.
    using PlaceSink = std::function<void(const StackPlace& place, std::span<const RunValue> values)>;
    [[nodiscard]] virtual Result<void> values(const ValueQuery& query, const PlaceSink& sink,
                                              const std::stop_token& stop) = 0;
    /// Of one stack in runs of a build (empty: of all), those whose value is 0, too.
    [[nodiscard]] virtual Result<std::vector<RunOfStack>> runsOfStack(const summary::StackKey& stack,
                                                                      analysis::Table table, const SampleFilter& filter,
                                                                      const std::string& build,
                                                                      const std::stop_token& stop) = 0;
    /// Fills in owners and frames; a stack that is not there keeps none.
    [[nodiscard]] virtual Result<void> nameStacks(const std::vector<FleetStack*>& stacks,
                                                  const std::stop_token& stop) = 0;
};

} // namespace highwater::fleet
