#pragma once

#include <QKeySequence>
#include <QString>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace highwater::app {

/// Names and actions of a page's dock.
struct PageDock {
    const char* name = "";    ///< object name of the dock; its position is stored under it
    const char* action = "";  ///< object name of its toggle action
    QString text = {};        ///< text of the toggle action
    QKeySequence keys = {};   ///< empty: none
    bool takesFocus = true;   ///< focused when the page is opened; the page uses passFocus() to select the widget
    const char* behind = "leaksDock"; ///< dock to place the page behind because there is not enough room for both.
                                      ///< Null: this is the first page
};

/// Puts the page into its dock and the dock into the window, behind the tab of the given page if any, hidden until the
/// user opens it. If the dock is behind a tab, its toggle action raises it instead of hiding it. Call once per dock;
/// GUI thread only.
void addPageDock(QDockWidget& dock, QWidget& page, QMainWindow& window, const PageDock& how);

/// Raises the dock with the height that its toggle action would use.
void openPageDock(QDockWidget& dock);

} // namespace highwater::app
