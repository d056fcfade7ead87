#pragma once

#include "core/symbols/store/symbol_archive.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace highwater::pipeline {

/// Archives among the traces (`X.etl.zip`, `.diagsession`) in whose `symbols` folder recorders store PDBs that no
/// server has: for StoreOptions::archives. They are opened on first use.
[[nodiscard]] std::vector<std::shared_ptr<const symbols::SymbolArchive>>
traceArchives(std::span<const std::filesystem::path> traces);

} // namespace highwater::pipeline
