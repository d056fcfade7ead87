#include "app/settings/theme.h"

#include "app/settings/theme_style.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme_colors.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

namespace highwater::app {
namespace {

/// The platform's default style.
const QString& platformStyle() {
    static const auto name = QApplication::style()->name();
    return name;
}

} // namespace

std::optional<Theme> parseTheme(const QString& word) {
    for (const auto theme : kThemes) {
        if (word == themeWord(theme)) return theme;
    }
    return std::nullopt;
}

QString themeWord(Theme theme) {
    switch (theme) {
    case Theme::Light:
        return QStringLiteral("light");
    case Theme::Dark:
        return QStringLiteral("dark");
    case Theme::HighContrast:
        return QStringLiteral("high-contrast");
    case Theme::System:
        break;
    }
    return QStringLiteral("system");
}

QPalette paletteOf(Theme theme) {
    if (theme == Theme::HighContrast) return ui::paletteOf(ui::Ground::HighContrast);
    return ui::paletteOf(theme == Theme::Dark ? ui::Ground::Dark : ui::Ground::Light);
}

void applyTheme(Theme theme) {
    const auto style = theme == Theme::System ? platformStyle() : QStringLiteral("fusion");
    (void)platformStyle(); // before the first change
    const bool isFusion = style == QLatin1String("fusion");
    const bool isThere =
        isFusion ? qobject_cast<ThemeStyle*>(QApplication::style()) != nullptr : QApplication::style()->name() == style;
    if (!isThere) QApplication::setStyle(isFusion ? new ThemeStyle : QStyleFactory::create(style));
    // An empty palette selects that of the platform.
    QApplication::setPalette(theme == Theme::System ? QPalette() : paletteOf(theme));
    // A platform without a palette uses the one of its style, whose contrast is not tested.
    const auto ofStyle = QApplication::style()->standardPalette();
    if (theme == Theme::System && isFusion && QApplication::palette() == ofStyle)
        QApplication::setPalette(paletteOf(Theme::Light));
    const auto font = ui::withEvenFigures(QApplication::font());
    if (font != QApplication::font()) QApplication::setFont(font, "QAbstractItemView");
}

} // namespace highwater::app
