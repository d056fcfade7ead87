#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace highwater::benchmarks {

/// Measurements of another program, from its start to its end. Linux only.
struct MeasuredProcess {
    bool isInstalled = false;
    int exitCode = -1; ///< -1 if it crashed
    double seconds = 0;
    double peakMegabytes = 0; ///< resident peak, including pages of mapped files

    [[nodiscard]] bool isFine() const { return isInstalled && exitCode == 0; }
};

/// Runs `command` (found like in a shell), reading `input` and writing `output`; its messages are discarded.
[[nodiscard]] MeasuredProcess measureProcess(const std::vector<std::string>& command,
                                             const std::filesystem::path& input, const std::filesystem::path& output);

} // namespace highwater::benchmarks
