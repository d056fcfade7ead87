#pragma once

#include "core/store/published_trace.h"
#include "core/symbols/resolved_addresses.h"

#include <vector>

namespace highwater::pipeline {

/// What of a trace is to be named. Empty lists: everything.
struct SymbolScope {
    std::vector<ProcessIndex> processes;
    std::vector<store::ModuleIndex> modules;
};

/// What the frames of one module ask for.
struct ModuleDemand {
    store::ModuleIndex module;
    std::vector<symbols::Rva> addresses; ///< sorted, each once
    std::uint64_t frames = 0;            ///< distinct frames of stacks
    ByteCount bytes = 0;                 ///< sizes of the rows whose stacks pass through the module, at their begin
};

/// The modules that own frames of the stacks, those with the most bytes first. One pass over rows and nodes: call it
/// from a worker.
[[nodiscard]] std::vector<ModuleDemand> symbolDemand(const store::PublishedTrace& trace, const SymbolScope& scope);

} // namespace highwater::pipeline
