#include "ui/theme/figures.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QtGlobal>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Proportional fonts whose default figures have equal width: those of Windows and most Linux systems.
constexpr const char* kEvenFamilies[] = {"Segoe UI", "Noto Sans", "DejaVu Sans", "Liberation Sans", "Arial"};

} // namespace

bool hasEvenFigures(const QFont& font) {
    const QFontMetricsF metrics(font);
    const auto zero = metrics.horizontalAdvance(QLatin1Char('0'));
    const QString others = QStringLiteral("123456789");
    return std::all_of(others.begin(), others.end(),
                       [&](QChar figure) { return qAbs(metrics.horizontalAdvance(figure) - zero) < 0.01; });
}

QFont withEvenFigures(QFont font) {
    if (hasEvenFigures(font)) return font;
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
    if (hasEvenFigures(font)) return font;
#endif
    for (const auto* name : kEvenFamilies) {
        const auto family = QString::fromLatin1(name);
        if (!QFontDatabase::hasFamily(family)) continue;
        font.setFamily(family);
        if (hasEvenFigures(font)) return font;
    }
    return font;
}

} // namespace highwater::ui
