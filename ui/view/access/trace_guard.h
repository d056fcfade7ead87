#pragma once

#include <QString>
#include <QStringList>

namespace highwater::ui {

/// A sentence with the reason why a file other than a trace must not overwrite this file; empty: it may. File dialogs
/// only ask whether to replace a file, but a recording cannot be repeated. GUI thread.
[[nodiscard]] QString traceOverwriteRefusal(const QString& path);

/// Registers the owner's open files as traces, whatever their names, because profiles of other tools may have any.
/// Replaces the owner's previous files; an empty list, which the owner sets before it is destroyed, removes them. GUI
/// thread.
void registerOpenTraces(const void* owner, const QStringList& files);

} // namespace highwater::ui
