#pragma once

class QLineEdit;

namespace highwater::ui {

/// Lets Ctrl+letter shortcuts of the window work while this line has the focus. On Linux, line edits use some of them
/// as Emacs keys (Ctrl+E, Ctrl+K). Other keys, and cut, copy, paste, undo, redo and select all, still belong to the
/// line. GUI thread only.
void preferWindowShortcuts(QLineEdit& line);

} // namespace highwater::ui
