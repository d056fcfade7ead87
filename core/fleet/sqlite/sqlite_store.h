#pragma once

#include "core/fleet/questions/asked_store.h"
#include "core/sqlite/sqlite_connection.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace highwater::fleet {

/// Runs in one file. Writers wait for each other; readers wait only for a run that is being committed.
class SqliteStore : public AskedStore {
  public:
    /// Opens the file on the first request.
    explicit SqliteStore(std::filesystem::path file) : file_(std::move(file)) {}

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
    /// Opens a store of this version.
    [[nodiscard]] Result<void> open(const std::stop_token& stop, sqlite::OpenFor how = sqlite::OpenFor::Reading);
    [[nodiscard]] Result<void> checkVersion();
    /// Checks that the tables of an untrusted file are ordinary tables.
    [[nodiscard]] Result<void> checkTables();
    [[nodiscard]] Error noFleetError(std::string_view state) const;
    /// Changes a run in a transaction, by its number in the database. False: it does not exist.
    [[nodiscard]] Result<bool> change(const std::string& run, const std::stop_token& stop,
                                      const std::function<void(std::int64_t)>& write);

    std::filesystem::path file_;
    std::unique_ptr<sqlite::SqliteConnection> connection_;
};

} // namespace highwater::fleet
