#include "app/tools/fleet/page/fleet_place.h"

#include "core/fleet/stores/open_fleet_store.h"
#include "ui/format/qt_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <QUrl>

namespace highwater::app {
namespace {

const QStringList kFleetSuffixes{QStringLiteral("sqlite"), QStringLiteral("sqlite3"), QStringLiteral("db")};

std::string decoded(const QString& part) { return QUrl::fromPercentEncoding(part.toUtf8()).toStdString(); }

QString wholePath(const QString& typed) {
    if (typed.startsWith(QLatin1String("file://"))) return QUrl(typed).toLocalFile();
    const bool isOfHome = typed == QLatin1String("~") || typed.startsWith(QLatin1String("~/"));
    return QFileInfo(isOfHome ? QDir::homePath() + typed.mid(1) : typed).absoluteFilePath();
}

} // namespace

ui::FleetPlace placeOf(const QString& typed) {
    static const QRegularExpression form(QStringLiteral("^(clickhouses?://)(.*)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    const auto text = typed.trimmed();
    const auto match = form.match(text);
    ui::FleetPlace place;
    if (!match.hasMatch()) {
        if (!text.isEmpty()) place.address = wholePath(text).toStdString();
        return place;
    }
    auto rest = match.captured(2);
    const auto slash = rest.indexOf(QLatin1Char('/'));
    // The password may contain @, and so may the database after the slash.
    const auto at = rest.left(slash < 0 ? rest.size() : slash).lastIndexOf(QLatin1Char('@'));
    if (at >= 0) {
        const auto who = rest.left(at);
        const auto colon = who.indexOf(QLatin1Char(':'));
        place.user = decoded(colon < 0 ? who : who.left(colon));
        if (colon >= 0) place.password = decoded(who.mid(colon + 1));
        rest = rest.mid(at + 1);
    }
    place.address = (match.captured(1).toLower() + rest).toStdString();
    return place;
}

bool isFleetFile(const QString& path) { return kFleetSuffixes.contains(QFileInfo(path).suffix(), Qt::CaseInsensitive); }

QString fleetFileFilter() {
    return QCoreApplication::translate("FleetPlace", "Fleets (*.%1)").arg(kFleetSuffixes.join(QLatin1String(" *.")));
}

bool isServer(const ui::FleetPlace& place) {
    return place.address.starts_with("clickhouse://") || place.address.starts_with("clickhouses://");
}

Result<std::unique_ptr<fleet::FleetStore>> openSystemFleet(const ui::FleetPlace& place) {
    if (place.user.empty() && place.password.empty()) return fleet::openFleetStore(place.address);
    return fleet::openFleetStore(place.address, place.user, place.password);
}

} // namespace highwater::app
