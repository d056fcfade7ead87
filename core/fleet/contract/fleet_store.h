#pragma once

#include "core/base/result.h"
#include "core/fleet/contract/fleet_question.h"
#include "core/summary/run_summary.h"

#include <stop_token>
#include <string>
#include <vector>

namespace highwater::fleet {

enum class AddOutcome : std::uint8_t { Added, WasThere };

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
