#pragma once

#include <QPalette>
#include <QString>

#include <array>
#include <optional>

namespace highwater::app {

/// The colours of the program: those that the platform gives, its high contrast, too, or the program's own. Qt 6.4
/// cannot be asked whether the desktop is dark, nor told to be: the others are Qt's Fusion style with a palette each.
enum class Theme { System, Light, Dark, HighContrast };
inline constexpr std::array kThemes{Theme::System, Theme::Light, Theme::Dark, Theme::HighContrast};

/// "system", "light", "dark", "high-contrast": words of the command line and the settings.
[[nodiscard]] std::optional<Theme> parseTheme(const QString& word);
[[nodiscard]] QString themeWord(Theme theme);

/// At any time; everything on screen follows. GUI thread only.
void applyTheme(Theme theme);
/// The palette of the program's own ones (ui/theme).
[[nodiscard]] QPalette paletteOf(Theme theme);

} // namespace highwater::app
