#pragma once

#include <QPalette>
#include <QString>

#include <array>
#include <optional>

namespace highwater::app {

/// The colours of the program: those of the platform, including its high contrast, or the program's own. Qt 6.4 can
/// neither report nor set dark mode, so the others use Qt's Fusion style with custom palettes.
enum class Theme { System, Light, Dark, HighContrast };
inline constexpr std::array kThemes{Theme::System, Theme::Light, Theme::Dark, Theme::HighContrast};

/// "system", "light", "dark", "high-contrast": values in the command line and settings.
[[nodiscard]] std::optional<Theme> parseTheme(const QString& word);
[[nodiscard]] QString themeWord(Theme theme);

/// May be called at any time; everything on screen is updated. GUI thread only.
void applyTheme(Theme theme);
/// The palette of one of the program's own themes (ui/theme).
[[nodiscard]] QPalette paletteOf(Theme theme);

} // namespace highwater::app
