#include "ui/view/analysis/tab_drops.h"

#include "ui/view/analysis/drop_mark.h"
#include "ui/view/analysis/graph_drag.h"
#include "ui/view/analysis/tab_corner.h"

#include <QDropEvent>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace highwater::ui {

TabDrops::TabDrops(QTabWidget& tabs, TabCorner& corner)
    : QObject(&tabs), tabs_(tabs), corner_(corner), mark_(new DropMark(tabs)) {
    for (auto* part : {static_cast<QWidget*>(tabs.tabBar()), static_cast<QWidget*>(&corner)}) {
        part->setAcceptDrops(true);
        part->installEventFilter(this);
    }
}

int TabDrops::tabAt(const QObject* watched, QPoint position) const {
    return watched == &corner_ ? -1 : tabs_.tabBar()->tabAt(position);
}

void TabDrops::mark(int tab) {
    const auto* bar = tabs_.tabBar();
    const auto* button = corner_.newTabButton();
    if (tab >= 0) return mark_->showFrame({bar->mapTo(&tabs_, bar->tabRect(tab).topLeft()), bar->tabRect(tab).size()});
    mark_->showFrame({button->mapTo(&tabs_, QPoint()), button->size()});
}

bool TabDrops::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::DragLeave:
        mark_->hide();
        return false;
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::Drop:
        break;
    default:
        return false;
    }
    auto* drag = static_cast<QDropEvent*>(event); // enter and move events derive from it
    const auto table = draggedGraph(drag->mimeData());
    if (!table) return false;
    const int tab = tabAt(watched, drag->position().toPoint());
    drag->acceptProposedAction();
    if (event->type() == QEvent::Drop) {
        mark_->hide();
        emit dropped(*table, tab);
    } else {
        mark(tab);
    }
    return true;
}

} // namespace highwater::ui

#include "moc_tab_drops.cpp"
