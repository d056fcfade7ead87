#pragma once

#include <QAction>
#include <QList>
#include <QObject>
#include <QWidget>

#include <functional>

namespace highwater::ui {

class FindBar;

/// Find, Find Next and Find Previous in the current graph's table. The shortcuts work in the whole window while the
/// analysis is on screen. GUI thread only.
class FindActions : public QObject {
    Q_OBJECT
  public:
    /// `bar` returns the current graph's bar, or null. `view` owns the actions and refreshes them.
    FindActions(QWidget& view, std::function<FindBar*()> bar);
    /// Call after the current graph has changed.
    void refresh();
    [[nodiscard]] QList<QAction*> all() const { return {find_, next_, previous_}; }

  private:
    void build(QWidget& view);

    std::function<FindBar*()> bar_;
    QAction* find_;
    QAction* next_;
    QAction* previous_;
};

} // namespace highwater::ui
