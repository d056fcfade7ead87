#include "app/application_settings.h"

#include <QFileInfo>

#include <algorithm>

namespace highwater::app {
namespace {

constexpr int kMaxRecent = 10;
const auto kRecent = QStringLiteral("recentTraces");
const auto kGeometry = QStringLiteral("windowGeometry");

/// Traces of several files are one line each: a line end cannot stand in a path that anyone uses.
constexpr QChar kBetweenPaths = QLatin1Char('\n');

} // namespace

ApplicationSettings::ApplicationSettings() : settings_(QStringLiteral("Highwater"), QStringLiteral("Highwater")) {}

ApplicationSettings::ApplicationSettings(const QString& file) : settings_(file, QSettings::IniFormat) {}

QList<ui::RecentTrace> ApplicationSettings::recentTraces() const {
    QList<ui::RecentTrace> traces;
    for (const auto& joined : settings_.value(kRecent).toStringList()) {
        ui::RecentTrace trace{.paths = joined.split(kBetweenPaths), .bytes = 0, .modified = {}};
        bool isThere = true;
        for (const auto& path : trace.paths) {
            const QFileInfo file(path);
            isThere = isThere && file.isFile();
            trace.bytes += file.size();
            trace.modified = std::max(trace.modified, file.lastModified());
        }
        if (isThere) traces << trace;
    }
    return traces;
}

void ApplicationSettings::addRecentTrace(const QStringList& paths) {
    QStringList absolute;
    for (const auto& path : paths) {
        absolute << QFileInfo(path).absoluteFilePath();
    }
    auto recent = settings_.value(kRecent).toStringList();
    const auto joined = absolute.join(kBetweenPaths);
    recent.removeAll(joined);
    recent.prepend(joined);
    settings_.setValue(kRecent, QStringList(recent.mid(0, kMaxRecent)));
}

QByteArray ApplicationSettings::windowGeometry() const { return settings_.value(kGeometry).toByteArray(); }

void ApplicationSettings::setWindowGeometry(const QByteArray& geometry) { settings_.setValue(kGeometry, geometry); }

} // namespace highwater::app
