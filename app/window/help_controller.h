#pragma once

#include <QString>

class QMenuBar;
class QWidget;

namespace highwater::app {

/// The keys of the window (F1): first the current ones of all menu actions, then those of widgets. Rich text.
[[nodiscard]] QString keysPage(const QMenuBar& menus);

/// Next to the window, never modal.
void showKeys(QWidget* parent, const QMenuBar& menus);
void showAbout(QWidget* parent);

} // namespace highwater::app
