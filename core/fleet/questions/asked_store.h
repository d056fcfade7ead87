#pragma once

#include "core/fleet/contract/fleet_store.h"
#include "core/fleet/questions/build_runs.h"
#include "core/fleet/questions/fleet_reader.h"
#include "core/fleet/questions/process_values.h"

#include <map>
#include <memory>
#include <string>

namespace highwater::fleet {

/// The queries of all stores, answered from the data that their engines read. One thread.
class AskedStore : public FleetStore, protected FleetReader {
  public:
    [[nodiscard]] Result<std::vector<RunRow>> runs(const RunFilter& filter, const std::stop_token& stop) override;
    [[nodiscard]] Result<GrewAnswer> grew(const GrewQuestion& question, const std::stop_token& stop) override;
    [[nodiscard]] Result<GrewAnswer> presence(const PresenceQuestion& question, const std::stop_token& stop) override;
    [[nodiscard]] Result<HistoryAnswer> history(const HistoryQuestion& question, const std::stop_token& stop) override;
    [[nodiscard]] Result<WorstAnswer> worst(const WorstQuestion& question, const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<SlopeRow>> slopes(const std::string& build, const SampleFilter& filter,
                                                       std::size_t most, const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<HealthRow>> health(const RunFilter& filter, const std::stop_token& stop) override;

  private:
    /// Runs with all labels of the filter.
    [[nodiscard]] Result<std::vector<StoredRun>> labelledRuns(const RunFilter& filter, const std::stop_token& stop);
    /// Runs of any build that match the filter. Error: one of the given builds has none.
    [[nodiscard]] Result<std::vector<StoredRun>> runsOfBuilds(const std::vector<std::string>& builds,
                                                              const SampleFilter& filter, const std::stop_token& stop);
    /// Runs of each process in the window. Error: unknown window or process.
    [[nodiscard]] Result<RunsOfProcesses> processesIn(const SampleFilter& filter, const std::stop_token& stop);
    /// Keeps runs with a value of the measure of processes, and returns the number of the others by build. Error:
    /// unknown process.
    [[nodiscard]] Result<std::map<std::string, std::size_t>>
    keepKnown(std::vector<StoredRun>& runs, const SampleFilter& filter, const std::stop_token& stop);
    /// Common setup of queries about two builds, and the common parts of their answers.
    class TwoBuilds;
    [[nodiscard]] Result<std::unique_ptr<TwoBuilds>> twoBuilds(const std::string& from, const std::string& to,
                                                               const SampleFilter& filter, const std::stop_token& stop);
    [[nodiscard]] Result<HistoryAnswer> historyOfStack(const HistoryQuestion& question, std::vector<StoredRun> runs,
                                                       const std::stop_token& stop);
    [[nodiscard]] Result<HistoryAnswer> historyOfProcess(const HistoryQuestion& question, std::vector<StoredRun> runs,
                                                         const std::stop_token& stop);
    /// Values of runs for `worst`, in any order.
    [[nodiscard]] Result<std::vector<RunOfStack>> valuesOfStack(const WorstQuestion& question,
                                                                const std::stop_token& stop);
    /// Error: the fleet does not have the stack.
    [[nodiscard]] Result<void> nameOne(FleetStack& stack, const std::stop_token& stop);
    [[nodiscard]] Result<GrewAnswer> named(GrewAnswer answer, std::size_t most, const std::stop_token& stop);
};

} // namespace highwater::fleet
