#pragma once

#include "ui/state/graph_state.h"

#include <QAction>
#include <QList>
#include <QObject>

namespace highwater::ui {

class GroupedTableView;

/// The commands of the table, for its context menu and for the menu bar: enabled when they would do something. Their
/// keys work while the table has the focus.
class TableActions : public QObject {
    Q_OBJECT
  public:
    TableActions(GraphState& state, GroupedTableView& view);

    [[nodiscard]] QList<QAction*> all() const;
    void refresh();

  private:
    void build();
    void connectActions();
    QAction* add(const QString& name, const QString& text, const QKeySequence& key);

    GraphState& state_;
    GroupedTableView& view_;
    QAction* filterTo_ = nullptr;
    QAction* filterOut_ = nullptr;
    QAction* undoFilter_ = nullptr;
    QAction* clearFilter_ = nullptr;
    QAction* hotPath_ = nullptr;
    QAction* copy_ = nullptr;
};

} // namespace highwater::ui
