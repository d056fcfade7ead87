#pragma once

#include <QString>

namespace highwater::ui {

/// Why nothing that is no trace is written over this file: a sentence. Empty: it may be. A file dialog asks only
/// whether a file is to be replaced, and a recording is not made again. GUI thread.
[[nodiscard]] QString whyTraceIsKept(const QString& path);

} // namespace highwater::ui
