#pragma once

#include <QFontMetrics>
#include <QList>
#include <QStringList>

namespace highwater::ui {

/// Shortens each name to its width (narrowedFrame). Different names that would then read the same start with the first
/// character in which they differ instead. Any thread.
[[nodiscard]] QStringList namesApart(const QStringList& names, const QList<int>& widths, const QFontMetrics& metrics);

} // namespace highwater::ui
