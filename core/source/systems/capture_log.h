#pragma once

#include "core/source/contract/capture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// Logs a recording that is about to start, in the same way on every system. Arguments and environment variables are
/// not logged because they may contain passwords. Any thread.
void logLaunch(const CaptureLaunch& launch, const CaptureOptions& options);
void logAttach(std::uint32_t pid, const CaptureOptions& options);
/// Logs the leftovers that were undone, and returns them.
[[nodiscard]] std::vector<std::string> loggedCleanUp(std::vector<std::string> sentences);

} // namespace highwater::source
