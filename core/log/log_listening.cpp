#include "core/log/log_listening.h"

#include "core/log/log_state.h"

namespace highwater {

LogListening::LogListening(std::function<void(const LogLine& line)> take) {
    auto& state = logState();
    const std::lock_guard lock(state.mutex);
    for (const auto& line : state.kept)
        take(line);
    number_ = ++state.lastListener;
    state.listeners.emplace(number_, std::move(take));
}

LogListening::~LogListening() {
    auto& state = logState();
    const std::lock_guard lock(state.mutex);
    state.listeners.erase(number_);
}

} // namespace highwater
