#pragma once

#include <filesystem>
#include <string>

namespace highwater {

/// Where the lines of the log go.
struct LogPlace {
    std::filesystem::path file; ///< empty: into no file
    std::string problem;        ///< why there is no file, or why no more is written to it; empty: nothing is wrong
    bool isOn = false;          ///< there is a log at all
};

/// The state at this moment. Any thread.
[[nodiscard]] LogPlace logPlace();

} // namespace highwater
