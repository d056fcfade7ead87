#pragma once

#include "core/base/result.h"
#include "core/fleet/contract/fleet_question.h"
#include "core/summary/run_summary.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::fleet {

enum class AddOutcome : std::uint8_t { Added, WasThere };

/// The new name of an unnamed function.
struct NamedFrame {
    std::string name;                      ///< name in the store: module and RVA
    std::string buildId;                   ///< build of its module
    std::vector<summary::Frame> functions; ///< functions at that place, innermost (inlined) first
};
/// Whether a function belongs to an allocator or runtime, so that it cannot own a stack.
using PlumbingTest = std::function<bool(std::string_view function)>;

/// A database that stores runs. A run is visible completely or not at all, and never twice, even if a writer is killed.
/// One thread; several stores may be open on one database. Errors: NotFound (no store, no server), AccessDenied,
/// Unsupported (another version), Damaged, Io (full, slow, not understood), Cancelled.
class FleetStore {
  public:
    virtual ~FleetStore() = default;

    /// Creates missing parts of the schema.
    /// cluster: name of a ClickHouse cluster; empty: one server.
    [[nodiscard]] virtual Result<void> create(const std::string& cluster) = 0;

    [[nodiscard]] virtual Result<bool> hasRun(const std::string& run) = 0;
    [[nodiscard]] virtual Result<AddOutcome> add(const summary::RunSummary& run, const std::stop_token& stop) = 0;
    /// Updates the path, build, machine, scenario and other labels of the run; the rest is unchanged.
    /// False: the run does not exist.
    [[nodiscard]] virtual Result<bool> relabel(const summary::RunFacts& facts, const std::stop_token& stop) = 0;
    /// Removes a run, which may be added again. False: it does not exist.
    [[nodiscard]] virtual Result<bool> remove(const std::string& run, const std::stop_token& stop) = 0;

    /// Functions without names, each once for each build of its module.
    [[nodiscard]] virtual Result<std::vector<summary::Frame>> framesWithoutNames(const std::stop_token& stop) = 0;
    /// Names such functions, and gives stacks with them the keys that match the new names. Stacks that become equal are
    /// merged, including their peaks and slopes. Atomic for each run, in SQLite for the whole fleet. Returns the number
    /// of renamed stacks.
    [[nodiscard]] virtual Result<std::size_t> name(const std::vector<NamedFrame>& frames,
                                                   const PlumbingTest& isPlumbing, const std::stop_token& stop) = 0;

    [[nodiscard]] virtual Result<std::vector<RunRow>> runs(const RunFilter& filter, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<GrewAnswer> grew(const GrewQuestion& question, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<GrewAnswer> presence(const PresenceQuestion& question,
                                                      const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<HistoryAnswer> history(const HistoryQuestion& question,
                                                        const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<WorstAnswer> worst(const WorstQuestion& question, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<std::vector<SlopeRow>> slopes(const std::string& build, const SampleFilter& filter,
                                                               std::size_t most, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<std::vector<HealthRow>> health(const RunFilter& filter,
                                                                const std::stop_token& stop) = 0;
};

} // namespace highwater::fleet
