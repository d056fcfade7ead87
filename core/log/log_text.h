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
/// The counterpart of wordOf(), case-insensitive. Nothing if there is no such level.
[[nodiscard]] std::optional<LogLevel> parseLogLevel(std::string_view word);
/// "debug, info, warning, error or off": the words that parseLogLevel() accepts, for messages.
inline constexpr const char* kLogLevelForm = "debug, info, warning, error or off";

/// A sentence in the form used in the log: one line, without terminal control characters, at most 2,000 bytes, and with
/// server addresses without user, password, query and fragment, which may contain keys.
[[nodiscard]] std::string loggable(std::string_view sentence);

} // namespace highwater
