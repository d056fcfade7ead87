#include "app/settings/reduced_motion.h"

#include <QSettings>
#include <QStandardPaths>

namespace highwater::app {
namespace {

/// Empty if the file or the key does not exist.
QString valueIn(const char* file, const char* name) {
    const auto path = QStandardPaths::locate(QStandardPaths::GenericConfigLocation, QLatin1String(file));
    return path.isEmpty() ? QString() : QSettings(path, QSettings::IniFormat).value(QLatin1String(name)).toString();
}

} // namespace

bool systemReducesMotion() {
    bool isNumber = false;
    const auto factor = valueIn("kdeglobals", "KDE/AnimationDurationFactor").toDouble(&isNumber);
    if (isNumber && factor == 0) return true;
    for (const auto* file : {"gtk-4.0/settings.ini", "gtk-3.0/settings.ini"}) {
        const auto value = valueIn(file, "Settings/gtk-enable-animations").toLower();
        if (!value.isEmpty()) return value == QLatin1String("0") || value == QLatin1String("false");
    }
    return false;
}

} // namespace highwater::app
