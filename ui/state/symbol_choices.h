#pragma once

#include "core/symbols/places/symbol_path.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace highwater::ui {

/// The user's symbol settings, shared by all traces unless noted. A value.
struct SymbolChoices {
    symbols::SymbolPath path;
    bool usesTraceFolders = true; ///< `<trace>.NGENPDB`
    QStringList processes;        ///< names with * and ?; empty: all
    QStringList modules;
    bool onlyCached = false; ///< nothing is downloaded
    QString cacheFolder;     ///< empty: the default
    /// For the open trace only and never saved: whether to look for its modules at the paths in the trace. Nothing:
    /// only if it was recorded on this computer.
    std::optional<bool> usesImagePaths;
    friend bool operator==(const SymbolChoices&, const SymbolChoices&) = default;
};

} // namespace highwater::ui
