#pragma once

#include "core/log/log_level.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace highwater {

/// One line of the log. A value type.
struct LogLine {
    std::chrono::system_clock::time_point time;
    LogLevel level = LogLevel::Information;
    LogArea area = LogArea::Program;
    std::string sentence; ///< UTF-8 without control characters
};

/// Number of newest lines that are stored for later listeners.
inline constexpr std::size_t kKeptLogLines = 256;

} // namespace highwater
