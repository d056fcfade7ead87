#include "core/log/log.h"

#include "core/log/log_state.h"
#include "core/log/log_text.h"

namespace highwater {

bool isLogged(LogLevel level) noexcept {
    return level != LogLevel::Off && level >= logState().least.load(std::memory_order_relaxed);
}

void log(LogLevel level, LogArea area, std::string_view sentence) noexcept {
    if (!isLogged(level)) return;
    try {
        auto& state = logState();
        const LogLine line{std::chrono::system_clock::now(), level, area, loggable(sentence)};
        const std::lock_guard lock(state.mutex);
        if (!isLogged(level)) return; // the log ended in the meantime
        if (state.file) state.file->write(line);
        notifyListeners(state, line);
    } catch (...) { // callers must not fail because of a log line without memory
    }
}

} // namespace highwater
