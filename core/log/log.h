#pragma once

#include "core/log/log_level.h"

#include <string_view>

namespace highwater {

/// Whether a line of this level goes anywhere: for callers that would have to make many. Any thread.
[[nodiscard]] bool isLogged(LogLevel level) noexcept;

/// Adds a line to the log; nothing where none was started (LogSession), so that tests and tools write nothing. One line
/// of UTF-8: what steers terminals is replaced, addresses of servers lose user, password and query, and what is longer
/// than 2,000 bytes is cut. Never for single events or on hot paths, and no contents of memory.
///
/// Any thread; waits for no disk, throws nothing: a line that finds no memory is lost.
void log(LogLevel level, LogArea area, std::string_view sentence) noexcept;

} // namespace highwater
