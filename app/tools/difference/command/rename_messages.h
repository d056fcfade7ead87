#pragma once

#include "app/cli/traces/console.h"
#include "core/analysis/difference/difference.h"

namespace highwater::cli {

/// Prints renames without effect, and possible renames with the option to apply them. Prints nothing for a single
/// trace.
void printRenames(const analysis::Difference& difference, const Console& console);

} // namespace highwater::cli
