#pragma once

#include "core/fleet/questions/asked_store.h"
#include "core/sqlite/sqlite_connection.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace highwater::fleet {

/// Runs in one file. Adders wait for each other; those who ask are not kept from it but by a run that is just being
/// written to its end.
class SqliteStore : public AskedStore {
  public:
    /// Nothing is opened before it is asked.
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
    /// A store of this version.
    [[nodiscard]] Result<void> open(const std::stop_token& stop, sqlite::OpenFor how = sqlite::OpenFor::Reading);
    [[nodiscard]] Result<void> checkVersion();
    /// Whoever made the file, its tables are tables.
    [[nodiscard]] Result<void> checkTables();
    [[nodiscard]] Error isNoFleet() const;
    /// Writes in a transaction what is changed of a run, by its number in the database. False: it is not there.
    [[nodiscard]] Result<bool> change(const std::string& run, const std::stop_token& stop,
                                      const std::function<void(std::int64_t)>& write);

    std::filesystem::path file_;
    std::unique_ptr<sqlite::SqliteConnection> connection_;
};

} // namespace highwater::fleet
