#pragma once

#include <QWidget>

class QTabWidget;
class QToolButton;

namespace highwater::ui {

/// What stands right of the tabs: the button for a new one, that which links the current one, and the history, as wide
/// as there is room. GUI thread only.
class TabCorner : public QWidget {
    Q_OBJECT
  public:
    /// `history` becomes a child.
    TabCorner(QTabWidget& tabs, QWidget& history);
    [[nodiscard]] QSize sizeHint() const override;
    /// Not what it hints at: the window could never become narrower again.
    [[nodiscard]] QSize minimumSizeHint() const override;

    [[nodiscard]] const QToolButton* newTabButton() const { return add_; }
    /// Of the current tab.
    void showLinked(bool linked);

  signals:
    void newTabWanted();
    void linkWanted(bool linked);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QTabWidget& tabs_;
    const QObject* bar_;
    QToolButton* add_;
    QToolButton* link_;
};

} // namespace highwater::ui
