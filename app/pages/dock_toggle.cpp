#include "app/pages/dock_toggle.h"

#include <QAction>
#include <QDockWidget>
#include <QTimer>

#include <memory>

namespace highwater::app {

void raiseBeforeHiding(QDockWidget& dock) {
    // When the action tells that it was triggered, the dock is hidden already: what it was before is known for the
    // rest of the turn.
    const auto wasSeen = std::make_shared<bool>(false);
    QObject::connect(&dock, &QDockWidget::visibilityChanged, &dock, [&dock, wasSeen](bool isSeen) {
        QTimer::singleShot(0, &dock, [wasSeen, isSeen] { *wasSeen = isSeen; });
    });
    QObject::connect(dock.toggleViewAction(), &QAction::triggered, &dock, [&dock, wasSeen](bool isShown) {
        if (isShown || *wasSeen) return;
        dock.show();
        dock.raise();
        dock.widget()->setFocus();
    });
}

} // namespace highwater::app
