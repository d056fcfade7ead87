#include "app/window/diagnostics_text.h"

#include "core/base/text.h"
#include "ui/format/qt_text.h"

#include <QDir>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QSysInfo>
#include <QThread>

namespace highwater::app {
namespace {

QString memoryText(const std::optional<ByteCount>& bytes) {
    return bytes ? ui::toQString(megabytes(static_cast<std::uint64_t>(*bytes))) : QStringLiteral("not known");
}

} // namespace

QString withoutHome(QString text, const QString& home) {
    const auto clean = QDir::cleanPath(home);
    if (clean.isEmpty() || QDir(clean).isRoot()) return text;
    // Matches whole path components only: /home/me is not the home of /home/mel.
    auto pattern = QRegularExpression::escape(clean);
    pattern.replace(QStringLiteral("\\/"), QStringLiteral("/")).replace(QLatin1Char('/'), QStringLiteral("[/\\\\]"));
    const bool isOfWindows = clean.contains(QLatin1Char(':'));
    const auto option = isOfWindows ? QRegularExpression::CaseInsensitiveOption : QRegularExpression::NoPatternOption;
    return text.replace(QRegularExpression(pattern + QStringLiteral("(?![\\w.-])"), option), QStringLiteral("~"));
}

QString diagnosticsText(const Diagnostics& diagnostics) {
    QStringList text;
    text << QStringLiteral("Highwater %1").arg(QCoreApplication::applicationVersion());
    text << QStringLiteral("System: %1, %2 %3, %4")
                .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(), QSysInfo::kernelVersion(),
                     QSysInfo::currentCpuArchitecture());
    text << QStringLiteral("Qt: %1, built with %2, %3")
                .arg(QLatin1String(qVersion()), QStringLiteral(QT_VERSION_STR), QGuiApplication::platformName());
    text << QStringLiteral("Processors: %1; memory: %2, used by Highwater: %3")
                .arg(QThread::idealThreadCount())
                .arg(memoryText(diagnostics.systemMemory), memoryText(diagnostics.ownMemory));
    text << QString() << QStringLiteral("Settings");
    for (const auto& [name, value] : diagnostics.settings)
        text << QStringLiteral("%1 = %2").arg(name, value);
    text << QString() << diagnostics.logPlace << diagnostics.lines;
    return withoutHome(text.join(QLatin1Char('\n')) + QLatin1Char('\n'), QDir::homePath());
}

} // namespace highwater::app
