#pragma once

#include "app/cli/traces/console.h"

namespace highwater::cli {

/// Takes back what recordings left in the system whose program was killed, and says what that was. A program that
/// records does so by itself; this is for the uninstaller, and for whoever will not start it again.
[[nodiscard]] ExitCode runCleanup(const Console& console);

} // namespace highwater::cli
