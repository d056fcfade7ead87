#pragma once

#include "core/log/log_level.h"

#include <optional>
#include <string>
#include <string_view>

namespace highwater {

/// "warning": for files, menus and arguments.
[[nodiscard]] std::string_view wordOf(LogLevel level);
/// "symbols".
[[nodiscard]] std::string_view wordOf(LogArea area);
/// The counterpart of wordOf(), without case. Nothing: there is no such level.
[[nodiscard]] std::optional<LogLevel> parseLogLevel(std::string_view word);
/// "debug, info, warning, error or off": what parseLogLevel() takes, for messages.
inline constexpr const char* kLogLevelForm = "debug, info, warning, error or off";

/// A sentence as it may stand in the log: one line, nothing that steers a terminal, not longer than 2,000 bytes, and
/// addresses of servers without user, password, query and fragment, where people put keys.
[[nodiscard]] std::string loggable(std::string_view sentence);

} // namespace highwater
