#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Records a program into a file. Ends with the program, after the duration, or when the user interrupts (Ctrl+C);
/// what was recorded is saved in each case. The exit code is the program's own, if it ended the recording.
[[nodiscard]] Result<ExitCode> runRecord(const RecordRequest& request, const Console& console);

} // namespace highwater::cli
