#pragma once

#include <QObject>

class QMainWindow;
class QTabBar;

namespace highwater::ui {

/// Gives the tabs of docks, which Qt makes, a name that is read aloud, and takes them out of the way of Tab as long as
/// no dock of theirs is shown: Qt then keeps them outside of the window. A child of the window; GUI thread only.
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
