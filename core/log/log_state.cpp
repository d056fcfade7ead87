#include "core/log/log_state.h"

namespace highwater {

LogState& logState() {
    static auto* const state = new LogState;
    return *state;
}

void notifyListeners(LogState& state, const LogLine& line) {
    state.kept.push_back(line);
    if (state.kept.size() > kKeptLogLines) state.kept.pop_front();
    for (const auto& [number, take] : state.listeners)
        take(line);
}

LogPlace logPlace() {
    auto& state = logState();
    const std::lock_guard lock(state.mutex);
    return state.place;
}

} // namespace highwater
