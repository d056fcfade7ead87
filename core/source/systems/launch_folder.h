#pragma once

#include "core/source/contract/capture.h"

namespace highwater::source {

/// Returns an error if the working folder is not a folder. Any thread.
[[nodiscard]] Result<void> checkFolder(const CaptureLaunch& launch);

} // namespace highwater::source
