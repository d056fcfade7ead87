#pragma once

#include "app/symbols/definition_files.h"

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class SymbolSession;

/// The kinds of definition files. All arguments must outlive the DefinitionFiles.

/// Stack tags (.stacktags) including the built-in ones.
[[nodiscard]] DefinitionFiles::Kind stackTagFiles(ApplicationSettings& settings, SymbolSession& session);
/// Leak suppressions.
[[nodiscard]] DefinitionFiles::Kind suppressionFiles(ApplicationSettings& settings, ui::AnalysisTabs& tabs);

} // namespace highwater::app
