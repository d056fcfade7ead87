#pragma once

#include "core/fleet/clickhouse/clickhouse_naming.h"
#include "core/fleet/clickhouse/clickhouse_rows.h"
#include "core/fleet/clickhouse/clickhouse_server.h"
#include "core/fleet/clickhouse/clickhouse_text.h"
#include "core/fleet/questions/asked_store.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace highwater::fleet {

/// Runs in ClickHouse, on one server or sharded over a cluster. Each attempt to add a run has its own number, the load.
/// Samples are written first and the row of the run last; samples without such a row are invisible.
class ClickHouseStore : public AskedStore {
  public:
    explicit ClickHouseStore(ClickHouseAddress place, ClickHouseLimits limits = {})
        : server_(std::move(place), limits) {}

    [[nodiscard]] Result<void> create(const std::string& cluster) override;
    [[nodiscard]] Result<bool> hasRun(const std::string& run) override;
    [[nodiscard]] Result<AddOutcome> add(const summary::RunSummary& run, const std::stop_token& stop) override;
    [[nodiscard]] Result<bool> relabel(const summary::RunFacts& facts, const std::stop_token& stop) override;
    [[nodiscard]] Result<bool> remove(const std::string& run, const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<summary::Frame>> framesWithoutNames(const std::stop_token& stop) override;
    [[nodiscard]] Result<std::size_t> name(const std::vector<NamedFrame>& frames, const PlumbingTest& isPlumbing,
                                           const std::stop_token& stop) override;

  protected:
    [[nodiscard]] Result<std::vector<StoredRun>> storedRuns(const RunFilter& filter,
                                                            const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<RunProcess>> processesOfRuns(const std::string& window,
                                                                  const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<RunWindow>> windowsOfRuns(const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<summary::StackKey>> stacksWithoutNames(const std::stop_token& stop) override;
    [[nodiscard]] Result<void> values(const ValueQuery& query, const PlaceSink& sink,
                                      const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<RunOfStack>> runsOfStack(const summary::StackKey& stack, analysis::Table table,
                                                              const SampleFilter& filter, const std::string& build,
                                                              const std::stop_token& stop) override;
    [[nodiscard]] Result<void> nameStacks(const std::vector<FleetStack*>& stacks, const std::stop_token& stop) override;

  private:
    using Values = std::map<std::string, SqlValue, std::less<>>;

    [[nodiscard]] Result<void> open(const std::stop_token& stop);
    [[nodiscard]] Result<std::uint32_t> version(const std::stop_token& stop);
    [[nodiscard]] Result<void> makeTables(const std::string& cluster, const std::string& on);
    [[nodiscard]] Result<void> checkCluster(const std::string& cluster);
    [[nodiscard]] Result<void> createOn(const std::string& cluster);
    /// Empty: the fleet is on a single server. Nothing: there is no fleet.
    [[nodiscard]] Result<std::optional<std::string>> clusterOfFleet();
    /// Checks that an existing fleet belongs to this cluster.
    [[nodiscard]] Result<void> checkTables(const std::string& cluster);
    /// Whether a run exists or was removed.
    struct RunState {
        bool isThere = false;
        std::uint64_t version = 0; ///< version of its newest row; 0: it never existed
    };
    [[nodiscard]] Result<RunState> stateOf(const std::string& run);
    /// Runs a statement for the run in its values. False: the run does not exist.
    [[nodiscard]] Result<bool> change(std::string_view sql, const Values& values, const std::stop_token& stop);
    /// Whether to retry after a failed request, after waiting.
    [[nodiscard]] bool shouldRetry(int attempt, const std::stop_token& stop) const;
    /// Runs the SQL of a file and returns the answer in RowBinary format.
    [[nodiscard]] Result<std::string> answerOf(std::string_view sql, const Values& values, const std::stop_token& stop);

    [[nodiscard]] Result<void> readExistingNames(const std::stop_token& stop);
    [[nodiscard]] Result<void> addOnce(const summary::RunSummary& run, std::uint64_t version,
                                       const std::stop_token& stop);
    [[nodiscard]] Result<void> addNames(const summary::RunSummary& run, const std::stop_token& stop);
    [[nodiscard]] Result<void> send(NewNames names, const std::stop_token& stop);
    [[nodiscard]] Result<void> addSamples(const summary::RunSummary& run, std::uint64_t load,
                                          const std::stop_token& stop);
    [[nodiscard]] Result<void> addMemory(const summary::RunSummary& run, const std::stop_token& stop);
    [[nodiscard]] std::uint64_t nextLoad();

    /// Names the current runs. False: nothing was left to be named.
    [[nodiscard]] Result<bool> nameOnce(ClickHouseNaming& naming, const std::stop_token& stop);
    /// Passes stacks with unnamed functions to the naming.
    [[nodiscard]] Result<void> readUnnamedStacks(ClickHouseNaming& naming, const std::stop_token& stop);
    [[nodiscard]] Result<std::vector<ClickHouseNaming::Run>> runsToName(const ClickHouseNaming& naming,
                                                                        const std::stop_token& stop);
    /// Rewrites the samples of these runs, and switches the runs to them at once.
    [[nodiscard]] Result<void> nameRuns(const ClickHouseNaming& naming, std::vector<ClickHouseNaming::Run> runs,
                                        const std::stop_token& stop);
    [[nodiscard]] Result<std::vector<ClickHouseNaming::Sample>>
    samplesOf(const std::vector<ClickHouseNaming::Run>& runs, const std::stop_token& stop);

    [[nodiscard]] Result<void> readMemory(std::vector<StoredRun>& runs, const std::stop_token& stop);
    [[nodiscard]] Result<void> readProcesses(const std::stop_token& stop);
    /// Reads the runs that belong to loads added after the runs were read.
    [[nodiscard]] Result<void> readLoads(const std::stop_token& stop);
    [[nodiscard]] std::uint64_t numberOf(const std::string& run);
    /// Removes stacks that no run contains any more because their functions have names now.
    [[nodiscard]] Result<void> forgetRenamed(const std::vector<std::string>& withoutNames,
                                             const std::multimap<summary::StackKey, FleetStack*>& byKey,
                                             const std::stop_token& stop);

    ClickHouseServer server_;
    bool isOpen_ = false;
    // For writers: data that need not be sent again.
    bool hasReadExistingNames_ = false;
    ExistingNames there_;
    std::uint64_t load_ = 0;
    // For readers.
    std::unordered_map<std::uint64_t, std::string> processes_;
    std::unordered_map<std::string, std::uint64_t> numbers_; ///< numbers of runs; constant while the store is open
    std::unordered_map<std::uint64_t, std::uint64_t> runsOfLoads_;
};

/// ClickHouse's error for a table that does not exist.
inline constexpr int kNoClickHouseTable = 60;
/// Whether it may mean that the table of resident memory does not exist, here or on another server of the cluster, for
/// which the code is that of a failed connection.
[[nodiscard]] constexpr bool isWithoutMemory(int code) {
    constexpr int kAllConnectionsFailed = 279;
    return code == kNoClickHouseTable || code == kAllConnectionsFailed;
}

/// Ids of names, the same on every machine; 0 is the whole run.
[[nodiscard]] std::uint64_t clickHouseId(std::string_view name);
[[nodiscard]] std::uint64_t clickHouseWindow(std::string_view name);

} // namespace highwater::fleet
