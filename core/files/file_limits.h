#pragma once

#include "core/base/units.h"

#include <optional>

namespace highwater {

/// From now on, exceeding a file size limit of this process (RLIMIT_FSIZE, ulimit -f) is a write error like a full
/// disk. Without this, the system ends the process with a signal (SIGXFSZ). Started programs do not inherit it. Call
/// first in main(). Does nothing except on Linux.
void reportFileLimits();

/// The limit of the address space of this process in bytes (RLIMIT_AS, ulimit -v); nothing if it has none.
[[nodiscard]] std::optional<ByteCount> addressLimit();

} // namespace highwater
