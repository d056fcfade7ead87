#include "ui/view/analysis/find_actions.h"

#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/find_bar.h"

namespace highwater::ui {

FindActions::FindActions(AnalysisView& view)
    : QObject(&view),
      view_(view),
      find_(new QAction(tr("F&ind…"), this)),
      next_(new QAction(tr("Find &Next"), this)),
      previous_(new QAction(tr("Find &Previous"), this)) {
    build();
    connect(&view_, &AnalysisView::currentPanelChanged, this, &FindActions::refresh);
    refresh();
}

void FindActions::build() {
    find_->setObjectName(QStringLiteral("find"));
    find_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F));
    next_->setObjectName(QStringLiteral("findNext"));
    next_->setShortcut(QKeySequence(Qt::Key_F3));
    previous_->setObjectName(QStringLiteral("findPrevious"));
    previous_->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3));
    view_.addActions(all());
    connect(find_, &QAction::triggered, &view_, [this] { view_.currentPanel()->findBar().open(); });
    connect(next_, &QAction::triggered, &view_,
            [this] { view_.currentPanel()->findBar().step(TableFinder::Direction::Forward); });
    connect(previous_, &QAction::triggered, &view_,
            [this] { view_.currentPanel()->findBar().step(TableFinder::Direction::Backward); });
}

void FindActions::refresh() {
    for (auto* action : all()) {
        action->setEnabled(view_.currentPanel() != nullptr);
    }
}

} // namespace highwater::ui
