#pragma once

#include <QAction>
#include <QList>
#include <QObject>
#include <QWidget>

#include <functional>

namespace highwater::ui {

class FindBar;

/// Find, Find Next and Find Previous in the table of the current graph, with keys that work in the whole window while
/// the analysis is on screen. GUI thread only.
class FindActions : public QObject {
    Q_OBJECT
  public:
    /// `bar`: of the current graph; null: there is none. `view` owns the actions, and refreshes them.
    FindActions(QWidget& view, std::function<FindBar*()> bar);
    /// After another graph has become the current one.
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
