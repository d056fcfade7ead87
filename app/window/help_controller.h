#pragma once

#include <QString>

class QMenuBar;
class QWidget;

namespace highwater::app {

/// The keys of the window (F1): those of all actions of the menus as they are now, then those that widgets have of
/// themselves. Rich text.
[[nodiscard]] QString keysPage(const QMenuBar& menus);

/// Beside the window, never modal.
void showKeys(QWidget* parent, const QMenuBar& menus);
void showAbout(QWidget* parent);

} // namespace highwater::app
