#pragma once

class QLineEdit;

namespace highwater::ui {

/// Ctrl and a letter is the window's shortcut also while somebody types in this line; on Linux lines take some of them
/// for keys of Emacs (Ctrl+E, Ctrl+K). What is no shortcut, and cut, copy, paste, undo, redo and select all, stay the
/// line's own. GUI thread only.
void letShortcutsThrough(QLineEdit& line);

} // namespace highwater::ui
