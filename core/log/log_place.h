#pragma once

#include <filesystem>
#include <string>

namespace highwater {

/// The destination of log lines.
struct LogPlace {
    std::filesystem::path file; ///< empty if there is no file
    std::string problem;        ///< the reason why there is no file, or why it is no longer written; empty if there is
                                ///< no problem
    bool isOn = false;          ///< the log was started
};

/// The current state. Any thread.
[[nodiscard]] LogPlace logPlace();

} // namespace highwater
