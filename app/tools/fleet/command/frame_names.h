#pragma once

#include "core/fleet/contract/fleet_store.h"
#include "core/symbols/places/symbol_path.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace highwater::cli {

/// The result for one build of a module.
struct ModuleOfFleet {
    std::string module;
    std::string buildId;
    std::size_t named = 0;
    std::size_t frames = 0;
};

struct NamesOfFleet {
    std::vector<fleet::NamedFrame> frames; ///< frames with names
    std::vector<ModuleOfFleet> modules;
    std::size_t withoutBuild = 0; ///< frames without a build identity, for which no debug file can be found
};

/// Names functions of a fleet from modules, builds and RVAs, without a trace. Names are the same as those of fleet add.
/// Searches the path, and downloads if it contains servers. Blocks.
[[nodiscard]] NamesOfFleet nameFrames(std::span<const summary::Frame> frames, const symbols::SymbolPath& path,
                                      const std::filesystem::path& cache);

} // namespace highwater::cli
