#pragma once

#include "core/check/check_runs.h"

#include <ostream>

namespace highwater::check {

/// Writes the answer of a check as readable text: budget lines, unreachable memory, stacks that grew.
void writeCheckText(const CheckResult& result, std::ostream& out);
/// docs/command-line.md (check) specifies the format.
void writeCheckJson(const CheckResult& result, std::ostream& out);

} // namespace highwater::check
