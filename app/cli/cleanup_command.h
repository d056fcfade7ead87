#pragma once

#include "app/cli/traces/console.h"

namespace highwater::cli {

/// Removes and reports system state left by recordings whose program was killed. Recorders do this themselves; this
/// command is for the uninstaller and for users who do not start the recorder again.
[[nodiscard]] ExitCode runCleanup(const Console& console);

} // namespace highwater::cli
