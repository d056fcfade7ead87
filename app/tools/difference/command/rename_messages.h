#pragma once

#include "app/cli/traces/console.h"
#include "core/analysis/difference/difference.h"

namespace highwater::cli {

/// Renames that match nothing before, and what else may have been renamed, with the option that treats it so. Not of
/// one trace, in which nothing is called otherwise.
void sayRenames(const analysis::Difference& difference, const Console& console);

} // namespace highwater::cli
