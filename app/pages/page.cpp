#include "app/pages/page.h"

#include <QDockWidget>
#include <QMainWindow>

namespace highwater::app {

Page::Page(QMainWindow& window, QWidget* widget, const QString& title, const PageDock& how)
    : QObject(&window), dock_(new QDockWidget(title, &window)) {
    addPageDock(*dock_, *widget, window, how);
}

QAction* Page::toggleAction() const { return dock_->toggleViewAction(); }

void Page::show() { openPageDock(*dock_); }

void Page::hide() { dock_->close(); }

} // namespace highwater::app

#include "moc_page.cpp"
