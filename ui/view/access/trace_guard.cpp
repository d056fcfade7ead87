#include "ui/view/access/trace_guard.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <map>

namespace highwater::ui {
namespace {

/// By canonical path.
std::map<const void*, QStringList>& openTraces() {
    static std::map<const void*, QStringList> files;
    return files;
}

bool isOpenTrace(const QFileInfo& file) {
    const auto path = file.canonicalFilePath();
    const auto& open = openTraces();
    return std::any_of(open.begin(), open.end(), [&](const auto& entry) {
        const auto& [owner, files] = entry;
        return std::any_of(files.begin(), files.end(),
                           [&](const QString& other) { return other == path || QFileInfo(other) == file; });
    });
}

} // namespace

void registerOpenTraces(const void* owner, const QStringList& files) {
    openTraces().erase(owner);
    for (const auto& file : files)
        openTraces()[owner] << QFileInfo(file).canonicalFilePath();
}

QString traceOverwriteRefusal(const QString& path) {
    const QFileInfo file(path);
    if (!file.exists()) return {};
    if (file.suffix().compare(QLatin1String("etl"), Qt::CaseInsensitive) != 0 && !isOpenTrace(file)) return {};
    return QCoreApplication::translate("highwater::ui", "%1 is a trace and was not replaced. Choose another file name.")
        .arg(file.fileName());
}

} // namespace highwater::ui
