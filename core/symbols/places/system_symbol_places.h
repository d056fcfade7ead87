#pragma once

#include "core/symbols/places/symbol_path_entry.h"

#include <vector>

namespace highwater::symbols {

/// The places of debug files from packages of the system. Any thread.
[[nodiscard]] std::vector<SymbolPathEntry> systemSymbolPlaces();

} // namespace highwater::symbols
