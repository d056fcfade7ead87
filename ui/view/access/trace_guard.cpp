#include "ui/view/access/trace_guard.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace highwater::ui {

QString whyTraceIsKept(const QString& path) {
    const QFileInfo file(path);
    if (file.suffix().compare(QLatin1String("etl"), Qt::CaseInsensitive) != 0 || !file.exists()) return {};
    return QCoreApplication::translate("highwater::ui",
                                       "%1 is a trace, and was not replaced: give the file another name.")
        .arg(file.fileName());
}

} // namespace highwater::ui
