#pragma once

#include "app/symbols/definition_files.h"

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class SymbolSession;

/// What the window reads from files that the user chose. All must outlive the DefinitionFiles.

/// Stack tags (.stacktags), and those that are built in.
[[nodiscard]] DefinitionFiles::Kind stackTagFiles(ApplicationSettings& settings, SymbolSession& session);
/// Suppressions of leaks.
[[nodiscard]] DefinitionFiles::Kind suppressionFiles(ApplicationSettings& settings, ui::AnalysisTabs& tabs);

} // namespace highwater::app
