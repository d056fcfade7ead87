#pragma once

#include "core/base/units.h"

#include <optional>

namespace highwater {

/// From now on a file that a limit of this process (RLIMIT_FSIZE, ulimit -f) does not let grow is an error of the
/// write, as a full disk is: without this, the system ends the process by a signal (SIGXFSZ). Programs that are started
/// do not inherit it. To be called first in main(). Elsewhere than on Linux nothing is to be done.
void reportFileLimits();

/// How many bytes of addresses this process may map in all (RLIMIT_AS, ulimit -v); nothing: no limit of its own.
[[nodiscard]] std::optional<ByteCount> addressLimit();

} // namespace highwater
