#include "app/settings/theme.h"

#include "app/settings/theme_style.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

namespace highwater::app {
namespace {

struct Colors {
    QRgb window, base, alternate, button, text, disabled, highlight, link, light, midlight, mid, dark;
};

constexpr Colors kLight{0xFFF3F3F3, 0xFFFFFFFF, 0xFFF7F7F7, 0xFFEBEBEB, 0xFF1B1B1B, 0xFF8C8C8C,
                        0xFF2A6FC4, 0xFF0B5CAD, 0xFFFFFFFF, 0xFFDFDFDF, 0xFFB8B8B8, 0xFF9F9F9F};
constexpr Colors kDark{0xFF2B2B2B, 0xFF1E1E1E, 0xFF252525, 0xFF383838, 0xFFE4E4E4, 0xFF8A8A8A,
                       0xFF2F6FB5, 0xFF6CB2F7, 0xFF4A4A4A, 0xFF404040, 0xFF202020, 0xFF1A1A1A};

/// The style that the platform chose before anyone asked for another.
const QString& platformStyle() {
    static const auto name = QApplication::style()->name();
    return name;
}

} // namespace

std::optional<Theme> parseTheme(const QString& word) {
    for (const auto theme : {Theme::System, Theme::Light, Theme::Dark}) {
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
    case Theme::System:
        break;
    }
    return QStringLiteral("system");
}

QPalette paletteOf(Theme theme) {
    const auto& colors = theme == Theme::Dark ? kDark : kLight;
    QPalette palette;
    const auto set = [&](std::initializer_list<QPalette::ColorRole> roles, QRgb color) {
        for (const auto role : roles)
            palette.setColor(role, QColor::fromRgb(color));
    };
    set({QPalette::Window}, colors.window);
    set({QPalette::Base}, colors.base);
    set({QPalette::AlternateBase}, colors.alternate);
    set({QPalette::Button, QPalette::ToolTipBase}, colors.button);
    set({QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}, colors.text);
    set({QPalette::PlaceholderText}, colors.disabled);
    set({QPalette::Highlight}, colors.highlight);
    set({QPalette::HighlightedText, QPalette::BrightText}, 0xFFFFFFFF);
    set({QPalette::Link, QPalette::LinkVisited}, colors.link);
    set({QPalette::Light}, colors.light);
    set({QPalette::Midlight}, colors.midlight);
    set({QPalette::Mid}, colors.mid);
    set({QPalette::Dark, QPalette::Shadow}, colors.dark);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(colors.disabled));
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(colors.mid));
    return palette;
}

void applyTheme(Theme theme) {
    const auto style = theme == Theme::System ? platformStyle() : QStringLiteral("fusion");
    (void)platformStyle(); // before the first change
    const bool isFusion = style == QLatin1String("fusion");
    const bool isThere =
        isFusion ? qobject_cast<ThemeStyle*>(QApplication::style()) != nullptr : QApplication::style()->name() == style;
    if (!isThere) QApplication::setStyle(isFusion ? new ThemeStyle : QStyleFactory::create(style));
    // An empty palette is the platform's.
    QApplication::setPalette(theme == Theme::System ? QPalette() : paletteOf(theme));
}

} // namespace highwater::app
