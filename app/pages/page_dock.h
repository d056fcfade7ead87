#pragma once

#include <QKeySequence>
#include <QString>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace highwater::app {

/// How a page of the window is found.
struct PageDock {
    const char* name = "";    ///< of the dock as an object, by which its place is stored
    const char* action = "";  ///< of its toggle action as an object
    QString text = {};        ///< of that in the menu
    QKeySequence keys = {};   ///< empty: none
    bool takesFocus = true;   ///< when it is asked for; the page says by passFocus() which part of it does
    const char* behind =
        "leaksDock"; ///< side by side with it the page would have too little room. Null: it comes first
};

/// Puts the page into its dock and that into the window, behind the tab of another page if that is there, hidden until
/// somebody asks for it. The toggle action brings a dock that lies behind a tab to the front, instead of hiding what is
/// not seen anyway. Once for a dock; GUI thread only.
void addPageDock(QDockWidget& dock, QWidget& page, QMainWindow& window, const PageDock& how);

/// Brings it to the front, as high as its toggle action would.
void openPageDock(QDockWidget& dock);

} // namespace highwater::app
