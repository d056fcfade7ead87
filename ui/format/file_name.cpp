#include "ui/format/file_name.h"

#include <QFileInfo>

namespace highwater::ui {
namespace {

constexpr qsizetype kLongestFileName = 120; ///< far below the limit of any file system

bool isOfFileNames(QChar c) { return c.isPrint() && !c.isSurrogate() && !QStringLiteral("<>:\"/\\|?*").contains(c); }

} // namespace

QString proposedFileName(const QString& trace, const QString& part, const QString& suffix) {
    auto name = QString(trace).replace(QLatin1Char('/'), QLatin1Char('_'));
    if (!name.startsWith(QLatin1Char('.'))) name = QFileInfo(name).completeBaseName();
    name = name.left(kLongestFileName) + QLatin1Char(' ') + part;
    for (auto& c : name) {
        if (!isOfFileNames(c)) c = QLatin1Char('_');
    }
    return name.trimmed() + QLatin1Char('.') + suffix;
}

} // namespace highwater::ui
