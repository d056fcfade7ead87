#pragma once

#include "tests/etw_simulator/played_trace.h"
#include "tests/etw_simulator/sessions_windows.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace highwater::etw_simulator {

class Consumer;

/// One scenario in this process: the machine with its sessions, the trace, its consumers. Any thread.
class Simulation {
  public:
    explicit Simulation(Scenario scenario);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] LockedMachine machine() { return machine_.lock(); }
    /// Read on first use.
    [[nodiscard]] std::shared_ptr<const PlayedTrace> trace();

    /// The error that the scenario sets for this call, or 0. Counts the call.
    [[nodiscard]] ULONG failureOf(const char* function, SessionKind kind);

    /// A handle as OpenTrace returns it.
    TRACEHANDLE add(std::shared_ptr<Consumer> consumer);
    [[nodiscard]] std::shared_ptr<Consumer> consumer(TRACEHANDLE handle);
    void remove(TRACEHANDLE handle);

  private:
    Scenario scenario_;
    MachineStore machine_;
    std::mutex mutex_;
    std::shared_ptr<const PlayedTrace> trace_;
    std::map<std::size_t, unsigned> callsOfFailure_;
    std::map<TRACEHANDLE, std::shared_ptr<Consumer>> consumers_;
    TRACEHANDLE lastHandle_ = 0x5000;
};

/// The current simulation of the environment; a new one after the scenario's text has changed. Null if the scenario is
/// invalid, or its files cannot be used; stderr shows why.
[[nodiscard]] std::shared_ptr<Simulation> currentSimulation();

} // namespace highwater::etw_simulator
