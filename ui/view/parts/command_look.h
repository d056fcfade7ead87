#pragma once

#include "ui/view/parts/line_icons.h"

#include <QString>

class QAction;

namespace highwater::ui {

/// How a command looks where it is a button: its picture, a word that is short enough to stand beside it, and a tooltip
/// that ends with its keys: those that it has, or that its text in menus tells. After its keys were set.
void setLook(QAction& action, LineIcon icon, const QString& word, const QString& help);

} // namespace highwater::ui
