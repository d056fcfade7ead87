#pragma once

#include "core/log/log_level.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace highwater {

/// Settings for the start of a log. A value type.
struct LogSettings {
    LogLevel level = LogLevel::Information; ///< the minimum level
    std::filesystem::path folder = {};      ///< for the file; empty if there is none
    std::string remark = {};                ///< a problem with the settings, which becomes the first line of the log
};

/// Reads an environment variable, as UTF-8.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// The user's folder for the log: `highwater` in $XDG_STATE_HOME or ~/.local/state, on Windows in %LOCALAPPDATA%. Empty
/// if the environment does not name one.
[[nodiscard]] std::filesystem::path logFolder(const ReadVariable& variable);

/// The settings of a program that was started with or without `--log-level chosen`. The option takes precedence over
/// the variable HIGHWATER_LOG; the default is LogLevel::Information. Off: also no file.
[[nodiscard]] LogSettings logSettings(const ReadVariable& variable, std::optional<LogLevel> chosen);

} // namespace highwater
