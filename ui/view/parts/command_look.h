#pragma once

#include "ui/view/parts/line_icons.h"

#include <QString>

class QAction;

namespace highwater::ui {

/// The shortcuts of an action, "Ctrl+O, F2", or the key after the tab in its text, which belongs to a widget.
[[nodiscard]] QString keysOf(const QAction& action);
/// Defines a command's look as a button: its icon, a word short enough for the button, and a tooltip that ends with its
/// shortcut, either assigned or from its menu text. Call it after setting the shortcut.
void setLook(QAction& action, LineIcon icon, const QString& word, const QString& help);

} // namespace highwater::ui
