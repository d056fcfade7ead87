#include "tests/etw_simulator/scenario.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>

namespace highwater::etw_simulator {
namespace {

/// The halves of "a:b"; the second one is empty if there is no separator.
struct Halves {
    std::string_view first;
    std::string_view second;
};
Halves splitLast(std::string_view text, char separator) {
    const auto at = text.rfind(separator);
    if (at == std::string_view::npos) return {text, {}};
    return {text.substr(0, at), text.substr(at + 1)};
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <typename Number>
bool set(Number& field, std::string_view text) {
    const auto value = number<Number>(text);
    if (value) field = *value;
    return value.has_value();
}

std::optional<SessionKind> kindOf(std::string_view suffix) {
    if (suffix.empty()) return SessionKind::Any;
    if (suffix == "heap") return SessionKind::Heap;
    if (suffix == "kernel") return SessionKind::Kernel;
    if (suffix == "code") return SessionKind::Code;
    return std::nullopt;
}

std::filesystem::path pathOf(std::string_view text) {
    return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

bool addSession(Scenario& scenario, std::string_view value) {
    const auto [name, suffix] = splitLast(value, '/');
    if (name.empty() || !(suffix.empty() || suffix == "heap" || suffix == "system")) return false;
    scenario.sessions.push_back({std::string(name), suffix == "heap", suffix == "system"});
    return true;
}

bool addFailure(Scenario& scenario, std::string_view value) {
    const auto [who, code] = splitLast(value, ':');
    const auto [which, call] = splitLast(who, '#');
    const auto [function, suffix] = splitLast(which, '/');
    Failure failure{.function = std::string(function)};
    const auto kind = kindOf(suffix);
    if (!kind || function.empty() || !set(failure.code, code)) return false;
    if (!call.empty() && !set(failure.call, call)) return false;
    failure.kind = *kind;
    scenario.failures.push_back(failure);
    return true;
}

/// "T:N", or "T/kind" for incidents without a count.
bool addIncident(Scenario& scenario, Incident::What what, std::string_view value) {
    Incident incident{.what = what};
    const auto [time, suffix] = splitLast(value, '/');
    const auto kind = kindOf(suffix);
    const auto [seconds, count] = splitLast(time, ':');
    const bool counts = what == Incident::What::LoseEvents || what == Incident::What::LoseBuffers;
    if (!kind || !set(incident.seconds, seconds)) return false;
    if (counts ? !set(incident.count, count) : !count.empty()) return false;
    // Which of the two sessions loses events must not depend on which comes first.
    incident.kind = counts && *kind == SessionKind::Any ? SessionKind::Heap : *kind;
    scenario.incidents.push_back(incident);
    return true;
}

bool addBurst(Scenario& scenario, std::string_view value) {
    const auto [seconds, blocks] = splitLast(value, ':');
    Burst burst;
    if (!set(burst.seconds, seconds) || !set(burst.blocks, blocks)) return false;
    scenario.bursts.push_back(burst);
    return true;
}

bool setLossChannels(Scenario& scenario, std::string_view value) {
    scenario.lossInRecords = scenario.lossInQuery = scenario.lossInCallback = false;
    while (!value.empty()) {
        const auto comma = std::min(value.find(','), value.size());
        const auto who = value.substr(0, comma);
        if (who == "records") {
            scenario.lossInRecords = true;
        } else if (who == "query") {
            scenario.lossInQuery = true;
        } else if (who == "callback") {
            scenario.lossInCallback = true;
        } else {
            return false;
        }
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return true;
}

bool setSpeed(Scenario& scenario, std::string_view value) {
    if (value != "max") return set(scenario.speed, value) && scenario.speed > 0;
    scenario.speed = 0;
    return true;
}

/// Keys whose only value changes a default.
bool setSwitch(bool& field, std::string_view value, std::string_view other) {
    field = false;
    return value == other;
}

bool setCodeRundown(Scenario& scenario, std::string_view value) {
    scenario.codeRundown = value == "silent";
    scenario.codeRundownEnds = false;
    return value == "no" || value == "silent";
}

bool setBegin(Scenario& scenario, std::string_view value) {
    if (value != "heap" && value != "kernel" && value != "child") return false;
    scenario.begin = value == "heap" ? Begin::Heap : value == "kernel" ? Begin::Kernel : Begin::Child;
    return true;
}

using Setter = bool (*)(Scenario&, std::string_view);
const std::map<std::string_view, Setter> kKeys{
    {"trace", [](Scenario& s, std::string_view v) { return s.trace = pathOf(v), !v.empty(); }},
    {"speed", setSpeed},
    {"begin", setBegin},
    {"target", [](Scenario& s, std::string_view v) { return set(s.target, v); }},
    {"state", [](Scenario& s, std::string_view v) { return s.state = pathOf(v), !v.empty(); }},
    {"session", addSession},
    {"fill", [](Scenario& s, std::string_view v) { return set(s.fill, v); }},
    {"fill_system", [](Scenario& s, std::string_view v) { return set(s.fillSystem, v); }},
    {"most_sessions", [](Scenario& s, std::string_view v) { return set(s.mostSessions, v); }},
    {"elevated", [](Scenario& s, std::string_view v) { return setSwitch(s.elevated, v, "no"); }},
    {"fail", addFailure},
    {"heap_update", [](Scenario& s, std::string_view v) { return setSwitch(s.heapUpdate, v, "refused"); }},
    {"most_pids", [](Scenario& s, std::string_view v) { return set(s.mostPids, v); }},
    {"rundown", [](Scenario& s, std::string_view v) { return setSwitch(s.rundown, v, "no"); }},
    {"code_rundown", setCodeRundown},
    {"frequency", [](Scenario& s, std::string_view v) { return setSwitch(s.reportsFrequency, v, "0"); }},
    {"lose_events_at", [](Scenario& s, std::string_view v) { return addIncident(s, Incident::What::LoseEvents, v); }},
    {"lose_buffers_at", [](Scenario& s, std::string_view v) { return addIncident(s, Incident::What::LoseBuffers, v); }},
    {"loss_told", setLossChannels},
    {"burst", addBurst},
    {"late_stacks", [](Scenario& s, std::string_view v) { return set(s.lateStacksMs, v); }},
    {"lost_stacks", [](Scenario& s, std::string_view v) { return set(s.lostStacks, v); }},
    {"stopped_by_others_at",
     [](Scenario& s, std::string_view v) { return addIncident(s, Incident::What::StopByOthers, v); }},
    {"stopped_result", [](Scenario& s, std::string_view v) { return set(s.stoppedResult, v); }},
    {"drain_takes", [](Scenario& s, std::string_view v) { return set(s.drainMs, v); }},
    {"crash_consumer_at", [](Scenario& s, std::string_view v) { return addIncident(s, Incident::What::Crash, v); }},
    {"kill_consumer_at", [](Scenario& s, std::string_view v) { return addIncident(s, Incident::What::Kill, v); }},
};

bool apply(Scenario& scenario, std::string_view entry) {
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos) return false;
    const auto key = kKeys.find(entry.substr(0, equals));
    return key != kKeys.end() && key->second(scenario, entry.substr(equals + 1));
}

} // namespace

Scenario parseScenario(std::string_view text) {
    Scenario scenario;
    while (!text.empty()) {
        const auto end = std::min(text.find(';'), text.size());
        const auto entry = text.substr(0, end);
        if (!entry.empty() && !apply(scenario, entry)) scenario.problem = entry;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::ranges::stable_sort(scenario.incidents, {}, &Incident::seconds);
    return scenario;
}

} // namespace highwater::etw_simulator
