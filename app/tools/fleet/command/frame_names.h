#pragma once

#include "core/fleet/contract/fleet_store.h"
#include "core/symbols/places/symbol_path.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace highwater::cli {

/// What was found of one build of a module.
struct ModuleOfFleet {
    std::string module;
    std::string buildId;
    std::size_t named = 0;
    std::size_t frames = 0;
};

struct NamesOfFleet {
    std::vector<fleet::NamedFrame> frames; ///< that have names
    std::vector<ModuleOfFleet> modules;
    std::size_t withoutBuild = 0; ///< frames that no debug file can be told to be about
};

/// Names functions of a fleet by their modules, builds and RVAs, without a trace: they are called as fleet add calls
/// them. Looks along the path, and downloads where it names servers; blocks.
[[nodiscard]] NamesOfFleet nameFrames(std::span<const summary::Frame> frames, const symbols::SymbolPath& path,
                                      const std::filesystem::path& cache);

} // namespace highwater::cli
