#pragma once

#include "core/symbols/resolver/module_resolver.h"

#include <string>

namespace highwater::symbols {

/// Logs where the names of a module came from, or that it has none, and what was refused on the way; at LogLevel::Debug
/// every place that was tried. For the answer that counts: each module once a search. Any thread.
void logModule(const std::string& module, const ModuleAnswer& answer);

} // namespace highwater::symbols
