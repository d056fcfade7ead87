#pragma once

#include "core/source/contract/capture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// Log what a recording is about to do, on every system alike. The program's arguments and variables are not logged:
/// people put passwords there. Any thread.
void logLaunch(const CaptureLaunch& launch, const CaptureOptions& options);
void logAttach(std::uint32_t pid, const CaptureOptions& options);
/// What was taken back that others had left; gives it back.
[[nodiscard]] std::vector<std::string> loggedCleanUp(std::vector<std::string> sentences);

} // namespace highwater::source
