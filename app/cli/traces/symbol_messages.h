#pragma once

#include "app/cli/traces/console.h"
#include "core/pipeline/symbol_loader.h"

namespace highwater::cli {

/// Prints the number of modules with symbols, and for the others each place that was searched and why it failed.
/// Modules with the same reasons are grouped, heaviest first. The list is limited unless the console shows all. `path`:
/// the searched path.
void sayWhatWasFound(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes,
                     const symbols::SymbolPath& path, const Console& console);

/// Explains missing symbols of NGEN images, whose PDBs exist only where the recorder wrote them. `areLeftOut`: excluded
/// by the user.
void printNgenHint(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes, bool areLeftOut,
                   const Console& console);

} // namespace highwater::cli
