#pragma once

#include "core/symbols/resolver/module_load.h"

#include <QString>

#include <string>

namespace highwater::ui {

/// Texts about symbol loading. Any thread.

/// "found in /path, debug information", "downloading 3.2 MB of 8.1 MB", "not found" ...
[[nodiscard]] QString moduleState(const symbols::ModuleLoad& load);
/// "GUID 0a1b... age 1", of a Linux file "build-id 0a1b..."; "" if the image does not contain it.
[[nodiscard]] QString moduleIdentity(const ModuleIdentity& identity);
/// For the status bar: "symbols 12/14"; while loading, "symbols 12/14, ntdll.pdb 3.2 MB of 8.1 MB".
[[nodiscard]] QString symbolSummary(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes);
/// The same in full sentences, including problems.
[[nodiscard]] QString symbolSentences(const symbols::SymbolLoadStatus& status);

} // namespace highwater::ui
