#include "core/log/log_settings.h"

#include "core/log/log_text.h"

#include <fmt/format.h>

#include <utility>

namespace highwater {

std::filesystem::path logFolder(const ReadVariable& variable) {
    for (const auto& [name, below] :
         {std::pair{"LOCALAPPDATA", ""}, {"XDG_STATE_HOME", ""}, {"HOME", ".local/state"}}) {
        const auto value = variable(name);
        if (!value) continue;
        // The specification of these variables requires that relative paths are ignored.
        if (const std::filesystem::path folder(*value); folder.is_absolute()) return folder / below / "highwater";
    }
    return {};
}

LogSettings logSettings(const ReadVariable& variable, std::optional<LogLevel> chosen) {
    LogSettings settings;
    if (chosen) {
        settings.level = *chosen;
    } else if (const auto word = variable("HIGHWATER_LOG"); word && !word->empty()) {
        if (const auto level = parseLogLevel(*word))
            settings.level = *level;
        else
            settings.remark = fmt::format("HIGHWATER_LOG is \"{}\", but must be {}.", *word, kLogLevelForm);
    }
    if (settings.level == LogLevel::Off) return settings;
    settings.folder = logFolder(variable);
    if (settings.folder.empty() && settings.remark.empty())
        settings.remark = "No log file is written because the environment does not name a folder for it.";
    return settings;
}

} // namespace highwater
