#include "ui/view/window/recent_trace.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace highwater::ui {

QString nameOfTrace(const QStringList& paths) {
    if (paths.isEmpty()) return {};
    const auto first = QFileInfo(paths.first()).fileName();
    const auto others = QString::number(paths.size() - 1);
    return paths.size() == 1 ? first : QCoreApplication::translate("StartPage", "%1 (+%2 more)").arg(first, others);
}

} // namespace highwater::ui
