#include "app/pages/dock_toggle.h"

#include <QAction>
#include <QDockWidget>
#include <QTimer>

#include <memory>

namespace highwater::app {

void raiseBeforeHiding(QDockWidget& dock) {
    // When the action tells that it was triggered, the dock is hidden already: what it was before is known for the
    // rest of the turn.
    struct Seen {
        bool isNow = false;
        bool wasBefore = false;
    };
    const auto seen = std::make_shared<Seen>();
    QObject::connect(&dock, &QDockWidget::visibilityChanged, &dock, [&dock, seen](bool isSeen) {
        seen->isNow = isSeen;
        if (isSeen)
            seen->wasBefore = true; // a key that follows at once hides it
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

} // namespace highwater::app
