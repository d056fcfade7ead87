#pragma once

#include "app/cli/traces/console.h"
#include "core/pipeline/symbol_loader.h"

namespace highwater::cli {

/// Says of how many modules symbols were found, and of the others why not: each place that was tried, and what was
/// wrong with it. Modules with the same reasons stand together, the heaviest first; at most some lines, unless the
/// console shows all. `path`: what was searched.
void sayWhatWasFound(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes,
                     const symbols::SymbolPath& path, const Console& console);

/// What is missing of images that NGEN made, whose PDBs exist only where the recorder left them. `areLeftOut`: by the
/// user.
void sayWhereNgenPdbsAre(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes, bool areLeftOut,
                         const Console& console);

} // namespace highwater::cli
