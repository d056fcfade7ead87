#include "tests/etw_simulator/simulation_windows.h"

#include "tests/etw_simulator/consumer_windows.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace highwater::etw_simulator {
namespace {

std::string environmentText() {
    // Not getenv(): the variable may have been set after this DLL's C library copied the environment.
    std::wstring text(::GetEnvironmentVariableW(L"HIGHWATER_ETW_SIMULATOR_SCENARIO", nullptr, 0), L'\0');
    if (text.empty()) return {};
    text.resize(
        ::GetEnvironmentVariableW(L"HIGHWATER_ETW_SIMULATOR_SCENARIO", text.data(), static_cast<DWORD>(text.size())));
    const auto utf8 = std::filesystem::path(text).u8string();
    return {utf8.begin(), utf8.end()};
}

std::shared_ptr<Simulation> simulationOf(const std::string& text) {
    auto scenario = parseScenario(text);
    if (!scenario.problem.empty()) {
        std::fprintf(stderr, "ETW simulator: %s is not understood.\n", scenario.problem.c_str());
        return nullptr;
    }
    try {
        return std::make_shared<Simulation>(std::move(scenario));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ETW simulator: %s\n", error.what());
        return nullptr;
    }
}

} // namespace

Simulation::Simulation(Scenario scenario) : scenario_(std::move(scenario)), machine_(scenario_) {}

std::shared_ptr<const PlayedTrace> Simulation::trace() {
    const std::lock_guard lock(mutex_);
    if (!trace_) trace_ = std::make_shared<PlayedTrace>(scenario_);
    return trace_;
}

ULONG Simulation::failureOf(const char* function, SessionKind kind) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < scenario_.failures.size(); ++i) {
        const auto& failure = scenario_.failures[i];
        if (failure.function != function) continue;
        if (failure.kind != SessionKind::Any && failure.kind != kind) continue;
        if (failure.call == 0 || ++callsOfFailure_[i] == failure.call) return failure.code;
    }
    return ERROR_SUCCESS;
}

TRACEHANDLE Simulation::add(std::shared_ptr<Consumer> consumer) {
    const std::lock_guard lock(mutex_);
    consumers_.emplace(++lastHandle_, std::move(consumer));
    return lastHandle_;
}

std::shared_ptr<Consumer> Simulation::consumer(TRACEHANDLE handle) {
    const std::lock_guard lock(mutex_);
    const auto found = consumers_.find(handle);
    return found == consumers_.end() ? nullptr : found->second;
}

void Simulation::remove(TRACEHANDLE handle) {
    const std::lock_guard lock(mutex_);
    consumers_.erase(handle);
}

std::shared_ptr<Simulation> currentSimulation() {
    static std::mutex mutex;
    static std::optional<std::string> text;
    static std::shared_ptr<Simulation> simulation;
    const std::lock_guard lock(mutex);
    if (auto now = environmentText(); !text || now != *text) {
        text = std::move(now);
        simulation = simulationOf(*text);
    }
    return simulation;
}

} // namespace highwater::etw_simulator
