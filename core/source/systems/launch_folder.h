#pragma once

#include "core/source/contract/capture.h"

namespace highwater::source {

/// Error: the folder in which the program shall run is none. Any thread.
[[nodiscard]] Result<void> checkFolder(const CaptureLaunch& launch);

} // namespace highwater::source
