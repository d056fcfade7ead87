#include "ui/view/analysis/find_actions.h"

#include "ui/view/parts/command_look.h"
#include "ui/view/table/find_bar.h"

#include <utility>

namespace highwater::ui {

FindActions::FindActions(QWidget& view, std::function<FindBar*()> bar)
    : QObject(&view),
      bar_(std::move(bar)),
      find_(new QAction(tr("F&ind…"), this)),
      next_(new QAction(tr("Find &Next"), this)),
      previous_(new QAction(tr("Find &Previous"), this)) {
    build(view);
    refresh();
}

void FindActions::build(QWidget& view) {
    find_->setObjectName(QStringLiteral("find"));
    find_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F));
    setLook(*find_, LineIcon::Find, tr("Find"), tr("Find text in the table, or rows that match a query"));
    next_->setObjectName(QStringLiteral("findNext"));
    next_->setShortcut(QKeySequence(Qt::Key_F3));
    previous_->setObjectName(QStringLiteral("findPrevious"));
    previous_->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3));
    view.addActions(all());
    connect(find_, &QAction::triggered, this, [this] { bar_()->open(); });
    connect(next_, &QAction::triggered, this, [this] { bar_()->step(TableFinder::Direction::Forward); });
    connect(previous_, &QAction::triggered, this, [this] { bar_()->step(TableFinder::Direction::Backward); });
}

void FindActions::refresh() {
    for (auto* action : all()) {
        action->setEnabled(bar_() != nullptr);
    }
}

} // namespace highwater::ui

#include "moc_find_actions.cpp"
