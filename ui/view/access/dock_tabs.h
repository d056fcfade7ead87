#pragma once

#include <QObject>

class QMainWindow;
class QTabBar;

namespace highwater::ui {

/// Gives the tab bars that Qt creates for docks an accessible name, and takes them out of the tab order while none of
/// their docks is shown, because Qt then keeps them outside of the window. A child of the window; GUI thread only.
class DockTabs : public QObject {
    Q_OBJECT
  public:
    explicit DockTabs(QMainWindow& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void watch(QTabBar& tabs);
    void follow(QTabBar& tabs) const;
};

} // namespace highwater::ui
