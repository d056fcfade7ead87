#pragma once

#include "core/symbols/symbol_path.h"

#include <QString>
#include <QStringList>

namespace highwater::ui {

/// What the user chose about symbols, the same for all traces. A value.
struct SymbolChoices {
    symbols::SymbolPath path;
    bool usesTraceFolders = true; ///< `<trace>.NGENPDB`
    QStringList processes;        ///< names with * and ?; empty: all
    QStringList modules;
    bool onlyCached = false; ///< nothing is downloaded
    QString cacheFolder;     ///< empty: the usual one
    friend bool operator==(const SymbolChoices&, const SymbolChoices&) = default;
};

} // namespace highwater::ui
