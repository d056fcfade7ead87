#pragma once

#include <QString>
#include <QStringList>

namespace highwater::ui {

/// Why nothing that is no trace is written over this file: a sentence. Empty: it may be. A file dialog asks only
/// whether a file is to be replaced, and a recording is not made again. GUI thread.
[[nodiscard]] QString whyTraceIsKept(const QString& path);

/// Files that the owner has open: traces whatever they are called, as those of other profilers are. In place of those
/// that it told before; none: it has none any more, which it says before its end. GUI thread.
void keepOpenTraces(const void* owner, const QStringList& files);

} // namespace highwater::ui
