#include "app/pages/page_dock.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include <memory>

namespace highwater::app {
namespace {

/// If the dock is behind the tab of another dock, its toggle action raises it instead of hiding it.
void raiseBeforeHiding(QDockWidget& dock) {
    // The dock is already hidden when the action emits triggered, so its previous state is kept until the end of the
    // event.
    struct Seen {
        bool isNow = false;
        bool wasBefore = false;
    };
    const auto seen = std::make_shared<Seen>();
    QObject::connect(&dock, &QDockWidget::visibilityChanged, &dock, [&dock, seen](bool isSeen) {
        seen->isNow = isSeen;
        if (isSeen)
            seen->wasBefore = true; // lets an immediately following key press hide it
        else
            QTimer::singleShot(0, &dock, [seen] { seen->wasBefore = seen->isNow; });
    });
    QObject::connect(dock.toggleViewAction(), &QAction::triggered, &dock, [&dock, seen](bool isShown) {
        if (isShown || seen->wasBefore) return;
        dock.show();
        dock.raise();
        dock.widget()->setFocus();
    });
}

/// When a page first opens, the table that it filters keeps its height. Later the height is up to the user.
void limitInitialHeight(QDockWidget& dock) {
    constexpr double kMostOfWindow = 0.38;
    constexpr auto kHasOpened = "highwaterHasOpened";
    auto* window = qobject_cast<QMainWindow*>(dock.parentWidget());
    if (window == nullptr || dock.property(kHasOpened).toBool()) return;
    dock.setProperty(kHasOpened, true);
    QTimer::singleShot(0, &dock, [&dock, window] {
        const auto most = static_cast<int>(window->height() * kMostOfWindow);
        const bool isBelow = window->dockWidgetArea(&dock) == Qt::BottomDockWidgetArea && !dock.isFloating();
        if (isBelow && dock.height() > most) window->resizeDocks({&dock}, {most}, Qt::Vertical);
    });
}

} // namespace

void addPageDock(QDockWidget& dock, QWidget& page, QMainWindow& window, const PageDock& how) {
    dock.setObjectName(QLatin1String(how.name));
    dock.setAllowedAreas(Qt::BottomDockWidgetArea | Qt::RightDockWidgetArea | Qt::TopDockWidgetArea);
    dock.setWidget(&page);
    window.addDockWidget(Qt::BottomDockWidgetArea, &dock);
    auto* other = how.behind == nullptr ? nullptr : window.findChild<QDockWidget*>(QLatin1String(how.behind));
    if (other != nullptr) window.tabifyDockWidget(other, &dock);
    dock.hide();
    raiseBeforeHiding(dock);
    auto* toggle = dock.toggleViewAction();
    QObject::connect(toggle, &QAction::triggered, &dock, [&dock](bool isShown) {
        if (!isShown) return;
        limitInitialHeight(dock);
        dock.raise();
    });
    toggle->setObjectName(QLatin1String(how.action));
    toggle->setText(how.text);
    if (!how.keys.isEmpty()) toggle->setShortcut(how.keys);
    if (!how.takesFocus) return;
    const auto before = std::make_shared<QPointer<QWidget>>(); // had the focus
    QObject::connect(toggle, &QAction::triggered, &dock, [&dock, &window, &page, before](bool isShown) {
        if (isShown) {
            if (auto* had = window.focusWidget(); had != nullptr && !dock.isAncestorOf(had)) *before = had;
            page.setFocus();
        } else if (dock.isHidden() && *before && (*before)->isVisible()) {
            (*before)->setFocus();
        }
    });
}

void openPageDock(QDockWidget& dock) {
    dock.show();
    dock.raise();
    limitInitialHeight(dock);
}

} // namespace highwater::app
