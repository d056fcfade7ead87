#pragma once

#include "core/symbols/places/symbol_path_entry.h"

#include <vector>

namespace highwater::symbols {

/// Where this system keeps debug files that its packages installed. Any thread.
[[nodiscard]] std::vector<SymbolPathEntry> systemSymbolPlaces();

} // namespace highwater::symbols
