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
        if (!isLogged(level)) return; // the log ended meanwhile
        if (state.file) state.file->write(line);
        tellListeners(state, line);
    } catch (...) { // without memory for it, nobody is to fail for a line of the log
    }
}

} // namespace highwater
