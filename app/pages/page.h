#pragma once

#include "app/pages/page_dock.h"

#include <QList>
#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace highwater::app {

/// A page of the window in a dock that is hidden until the user opens it. GUI thread only.
class Page : public QObject {
    Q_OBJECT
  public:
    [[nodiscard]] QAction* toggleAction() const;
    void show();
    void hide();
    /// The page shows the answer to its newest question, or is hidden.
    [[nodiscard]] virtual bool isUpToDate() const { return true; }
    /// For the Trace menu.
    [[nodiscard]] virtual QList<QAction*> traceActions() const { return {}; }
    /// Call after restoring a layout, which may have opened the page.
    virtual void noteLayoutRestored() {}

  signals:
    /// Emitted when stacks are shown, so that function names are loaded.
    void namesWanted();
    void upToDate();

  protected:
    /// The window must outlive this object. The dock owns `widget`.
    Page(QMainWindow& window, QWidget* widget, const QString& title, const PageDock& how);
    [[nodiscard]] QDockWidget& dock() const { return *dock_; }

  private:
    QDockWidget* dock_;
};

} // namespace highwater::app
