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

/// What a function without a name is called now.
struct NamedFrame {
    std::string name;                      ///< as it is in the store: module and RVA
    std::string buildId;                   ///< of its module
    std::vector<summary::Frame> functions; ///< at that place, innermost (inlined) first
};
/// Whether a function is an allocator or a runtime, which owners lie behind.
using PlumbingTest = std::function<bool(std::string_view function)>;

/// A database of runs. A run is seen whole or not at all, and never twice, whoever is killed when. One thread; several
/// stores may be open on one database. Errors: NotFound (no store, no server), AccessDenied, Unsupported (of another
/// version), Damaged, Io (full, slow, not understood), Cancelled.
class FleetStore {
  public:
    virtual ~FleetStore() = default;

    /// Makes what is missing of the schema; does nothing where it is there.
    /// cluster: of ClickHouse, by its name there; empty: one server.
    [[nodiscard]] virtual Result<void> create(const std::string& cluster) = 0;

    [[nodiscard]] virtual Result<bool> hasRun(const std::string& run) = 0;
    [[nodiscard]] virtual Result<AddOutcome> add(const summary::RunSummary& run, const std::stop_token& stop) = 0;
    /// Gives the run of these facts their path, build, machine, scenario and other labels; all else stays as it is.
    /// False: the run is not there.
    [[nodiscard]] virtual Result<bool> relabel(const summary::RunFacts& facts, const std::stop_token& stop) = 0;
    /// Takes a run out, which may be added again. False: it is not there.
    [[nodiscard]] virtual Result<bool> remove(const std::string& run, const std::stop_token& stop) = 0;

    /// Functions that have no name, each once for each build of its module.
    [[nodiscard]] virtual Result<std::vector<summary::Frame>> framesWithoutNames(const std::stop_token& stop) = 0;
    /// Names such functions, and gives the stacks that have them the keys that they would have with these names. Stacks
    /// that become one are summed up: their peaks and slopes, too. Of each run all or nothing, in SQLite of the fleet.
    /// Returns how many stacks have other names now.
    [[nodiscard]] virtual Result<std::size_t> name(const std::vector<NamedFrame>& frames,
                                                   const PlumbingTest& isPlumbing, const std::stop_token& stop) = 0;

    [[nodiscard]] virtual Result<std::vector<RunRow>> runs(const RunFilter& filter, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<GrewAnswer> grew(const GrewQuestion& question, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<GrewAnswer> presence(const PresenceQuestion& question,
                                                      const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<HistoryAnswer> history(const HistoryQuestion& question,
                                                        const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<std::vector<WorstRun>> worst(const WorstQuestion& question,
                                                              const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<std::vector<SlopeRow>> slopes(const std::string& build, const SampleFilter& filter,
                                                               std::size_t most, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Result<std::vector<HealthRow>> health(const RunFilter& filter,
                                                                const std::stop_token& stop) = 0;
};

} // namespace highwater::fleet
