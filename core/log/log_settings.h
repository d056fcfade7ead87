#pragma once

#include "core/log/log_level.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace highwater {

/// What a log is started with. A value.
struct LogSettings {
    LogLevel level = LogLevel::Information; ///< the least that is logged
    std::filesystem::path folder = {};      ///< of the file; empty: there is none
    std::string remark = {};                ///< what was wrong with the settings; the log begins with it
};

/// Reads a variable of the environment, as UTF-8.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// The user's folder for the log: `highwater` in $XDG_STATE_HOME or ~/.local/state, on Windows in %LOCALAPPDATA%.
/// Empty: the environment names none.
[[nodiscard]] std::filesystem::path logFolder(const ReadVariable& variable);

/// What holds for a program that was started with `--log-level chosen`, or without: that wins over the variable
/// HIGHWATER_LOG, and without either it is LogLevel::Information. Off: no file either.
[[nodiscard]] LogSettings logSettings(const ReadVariable& variable, std::optional<LogLevel> chosen);

} // namespace highwater
