#pragma once

#include "core/symbols/resolver/module_resolver.h"

#include <string>

namespace highwater::symbols {

/// Logs the source of a module's names, or that it has none, and rejected files; at LogLevel::Debug also every place
/// that was tried. For the final answer only: each module once per search. Any thread.
void logModule(const std::string& module, const ModuleAnswer& answer);

} // namespace highwater::symbols
