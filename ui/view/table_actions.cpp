#include "ui/view/table_actions.h"

#include "ui/view/grouped_table_view.h"

namespace highwater::ui {

using Mode = analysis::RowFilter::Clause::Mode;

TableActions::TableActions(GraphState& state, GroupedTableView& view) : QObject(&view), state_(state), view_(view) {
    build();
    connectActions();
}

QAction* TableActions::add(const QString& name, const QString& text, const QKeySequence& key) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    view_.addAction(action);
    return action;
}

void TableActions::build() {
    filterTo_ = add(QStringLiteral("filterTo"), tr("&Filter To Selection"), QKeySequence(Qt::Key_F));
    filterOut_ = add(QStringLiteral("filterOut"), tr("Filter &Out Selection"), QKeySequence(Qt::SHIFT | Qt::Key_F));
    undoFilter_ = add(QStringLiteral("undoFilter"), tr("&Undo Filter"), QKeySequence::Undo);
    clearFilter_ = add(QStringLiteral("clearFilterAction"), tr("C&lear Filter"), {});
    hotPath_ = add(QStringLiteral("hotPath"), tr("Expand &Hot Path"), QKeySequence(Qt::CTRL | Qt::Key_Right));
    copy_ = add(QStringLiteral("copy"), tr("&Copy"), QKeySequence::Copy);
}

void TableActions::connectActions() {
    connect(filterTo_, &QAction::triggered, &view_, [this] { view_.filterSelection(Mode::Keep); });
    connect(filterOut_, &QAction::triggered, &view_, [this] { view_.filterSelection(Mode::Remove); });
    connect(undoFilter_, &QAction::triggered, &state_, &GraphState::undoFilter);
    connect(clearFilter_, &QAction::triggered, &state_, &GraphState::clearFilter);
    connect(hotPath_, &QAction::triggered, &view_, &GroupedTableView::expandHotPath);
    connect(copy_, &QAction::triggered, &view_, &GroupedTableView::copySelection);
    connect(&state_, &GraphState::changed, this, &TableActions::refresh);
}

void TableActions::refresh() {
    const bool hasSelection = view_.selectionModel() && view_.selectionModel()->hasSelection();
    filterTo_->setEnabled(hasSelection);
    filterOut_->setEnabled(hasSelection);
    copy_->setEnabled(hasSelection);
    hotPath_->setEnabled(view_.model() && view_.model()->rowCount() > 0);
    undoFilter_->setEnabled(state_.canUndoFilter());
    clearFilter_->setEnabled(!state_.filterSteps().empty());
}

QList<QAction*> TableActions::all() const {
    return {filterTo_, filterOut_, undoFilter_, clearFilter_, hotPath_, copy_};
}

} // namespace highwater::ui
