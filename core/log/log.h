#pragma once

#include "core/log/log_level.h"

#include <string_view>

namespace highwater {

/// Whether a line of this level is written or heard: for callers that would have to create many. Any thread.
[[nodiscard]] bool isLogged(LogLevel level) noexcept;

/// Adds a line to the log. Does nothing if no log was started (LogSession), so that tests and tools write nothing. One
/// line of UTF-8: terminal control characters are replaced, server addresses are stripped of user, password and query,
/// and text beyond 2,000 bytes is truncated. Not for single events or hot paths, and never with contents of memory.
///
/// Any thread; does not wait for a disk, and does not throw: a line without memory is lost.
void log(LogLevel level, LogArea area, std::string_view sentence) noexcept;

} // namespace highwater
