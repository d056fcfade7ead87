#include "ui/view/access/access.h"

#include "ui/view/access/file_dialogs.h"
#include "ui/view/access/focus.h"
#include "ui/view/access/spoken.h"
#include "ui/view/access/tip_keeper.h"

#include <QApplication>

namespace highwater::ui {

void installAccess() {
    if (qApp->findChild<TipKeeper*>(QString(), Qt::FindDirectChildrenOnly)) return;
    qApp->installEventFilter(new TipKeeper(qApp));
    qApp->installEventFilter(new FileDialogs(qApp));
    new FocusRings(qApp);
    QAccessible::installFactory(&makeSpokenInterface);
}

} // namespace highwater::ui
