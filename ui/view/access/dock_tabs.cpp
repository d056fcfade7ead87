#include "ui/view/access/dock_tabs.h"

#include <QEvent>
#include <QMainWindow>
#include <QTabBar>

namespace highwater::ui {

DockTabs::DockTabs(QMainWindow& window) : QObject(&window) {
    window.installEventFilter(this);
    for (auto* tabs : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        watch(*tabs);
}

bool DockTabs::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ChildPolished && watched == parent()) {
        if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) watch(*tabs);
    }
    const bool isMoved =
        event->type() == QEvent::Move || event->type() == QEvent::Resize || event->type() == QEvent::Show;
    if (auto* tabs = isMoved ? qobject_cast<QTabBar*>(watched) : nullptr) follow(*tabs);
    return QObject::eventFilter(watched, event);
}

void DockTabs::watch(QTabBar& tabs) {
    tabs.installEventFilter(this);
    follow(tabs);
}

void DockTabs::follow(QTabBar& tabs) const {
    if (tabs.accessibleName().isEmpty()) tabs.setAccessibleName(tr("Pages"));
    const bool isInSight = static_cast<const QWidget*>(parent())->rect().intersects(tabs.geometry());
    tabs.setFocusPolicy(isInSight ? Qt::TabFocus : Qt::NoFocus);
}

} // namespace highwater::ui

#include "moc_dock_tabs.cpp"
