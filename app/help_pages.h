#pragma once

class QWidget;

namespace highwater::app {

/// The keys of the window (F1), and what the program is. Beside the window, never modal.
void showKeys(QWidget* parent);
void showAbout(QWidget* parent);

} // namespace highwater::app
