#include "ui/view/access/access.h"

#include "ui/view/access/tip_keeper.h"

#include <QApplication>

namespace highwater::ui {

void installAccess() {
    if (qApp->findChild<TipKeeper*>(QString(), Qt::FindDirectChildrenOnly)) return;
    qApp->installEventFilter(new TipKeeper(qApp));
}

} // namespace highwater::ui
