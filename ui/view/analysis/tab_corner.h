#pragma once

#include <QWidget>

class QTabWidget;
class QToolButton;

namespace highwater::ui {

/// The area right of the tabs: the buttons for a new tab and for linking the current one, and the history in the
/// remaining width. GUI thread only.
class TabCorner : public QWidget {
    Q_OBJECT
  public:
    /// Takes ownership of `history`.
    TabCorner(QTabWidget& tabs, QWidget& history);
    [[nodiscard]] QSize sizeHint() const override;
    /// Smaller than the hint, so that the window can become narrower again.
    [[nodiscard]] QSize minimumSizeHint() const override;

    [[nodiscard]] const QToolButton* newTabButton() const { return add_; }
    /// For the current tab.
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
