#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace highwater::benchmarks {

/// What another program took, from its start to its end. Linux only.
struct MeasuredProcess {
    bool isInstalled = false;
    int exitCode = -1; ///< -1: it crashed
    double seconds = 0;
    double peakMegabytes = 0; ///< resident at most, pages of mapped files included

    [[nodiscard]] bool isFine() const { return isInstalled && exitCode == 0; }
};

/// Runs `command` (looked for as a shell does), reading `input` and writing `output`; its messages are thrown away.
[[nodiscard]] MeasuredProcess measureProcess(const std::vector<std::string>& command,
                                             const std::filesystem::path& input, const std::filesystem::path& output);

} // namespace highwater::benchmarks
