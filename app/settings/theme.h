#pragma once

#include <QPalette>
#include <QString>

#include <optional>

namespace highwater::app {

/// The colours of the program: those that the platform gives, or the program's own. Qt 6.4 cannot be asked whether the
/// desktop is dark, nor told to be: light and dark are Qt's Fusion style with a palette each.
enum class Theme { System, Light, Dark };

/// "system", "light", "dark": words of the command line and the settings.
[[nodiscard]] std::optional<Theme> parseTheme(const QString& word);
[[nodiscard]] QString themeWord(Theme theme);

/// At any time; everything on screen follows. GUI thread only.
void applyTheme(Theme theme);
/// The palette of Light and Dark.
[[nodiscard]] QPalette paletteOf(Theme theme);

} // namespace highwater::app
