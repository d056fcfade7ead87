#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Records a program to a file. Ends with the program, after the duration, or on an interrupt (Ctrl+C), and saves the
/// recording in each case. Returns the program's own exit code if the program ended the recording.
[[nodiscard]] Result<ExitCode> runRecord(const RecordRequest& request, const Console& console);

} // namespace highwater::cli
