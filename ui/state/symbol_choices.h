#pragma once

#include "core/symbols/places/symbol_path.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace highwater::ui {

/// What the user chose about symbols, the same for all traces but where it is said. A value.
struct SymbolChoices {
    symbols::SymbolPath path;
    bool usesTraceFolders = true; ///< `<trace>.NGENPDB`
    QStringList processes;        ///< names with * and ?; empty: all
    QStringList modules;
    bool onlyCached = false; ///< nothing is downloaded
    QString cacheFolder;     ///< empty: the usual one
    /// For the trace that is open only, and never kept: its modules are looked for at the paths that it names. Nothing:
    /// if it was recorded on this computer.
    std::optional<bool> usesImagePaths;
    friend bool operator==(const SymbolChoices&, const SymbolChoices&) = default;
};

} // namespace highwater::ui
