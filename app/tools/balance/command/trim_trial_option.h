#pragma once

#include "app/cli/traces/command.h"

#include <string>

namespace highwater::cli {

/// Adds --try-trim PID to a command about traces: if it is given, the command tries malloc_trim in a copy of a running
/// process instead. `format`: of the answer; valid as long as the command.
[[nodiscard]] Command orTrial(Command command, const std::string& format);

} // namespace highwater::cli
