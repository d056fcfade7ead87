#pragma once

#include <QColor>
#include <QPalette>

#include <array>
#include <cstddef>

namespace highwater::ui {

/// Horizontal distances between and around widgets are multiples of this; vertical ones in bars may be half.
inline constexpr int kGrid = 4;

/// Kind of background. HighContrast is white, yellow and cyan on black.
enum class Ground { Light, Dark, HighContrast };
inline constexpr std::array kGrounds{Ground::Light, Ground::Dark, Ground::HighContrast};

/// All colours with a meaning, for one background. theme_colors_test lists which text and lines are drawn on which
/// background, and checks that they are readable (kTextContrast, kGraphicContrast).
struct ThemeColors {
    // The palette.
    QRgb window, base, alternate, button, text;
    QRgb quiet;    ///< de-emphasized text: zeros, hints, disabled items
    QRgb accent;   ///< selections, the current item, bars, retained memory
    QRgb onAccent; ///< text on accent
    QRgb link;
    QRgb light, midlight, mid, dark;
    // Graphs.
    std::array<QRgb, 7> series; ///< based on Okabe and Ito's palette for colour-blind readers, with enough contrast to
                                ///< the background
    QRgb highlight;             ///< the highlighted interval
    QRgb lost;                  ///< where events are missing
    QRgb grew, shrank;          ///< growth and shrinkage between two lines
    QRgb found;                 ///< frames that a search found; text is drawn on it
    // Tables and bars.
    QRgb gold, blue;    ///< the bars of a pivot table
    QRgb refusal;       ///< invalid drop targets and the reason
    QRgb mistake;       ///< the line below invalid input
    QRgb recording;     ///< recording, as in other programs
    int amberPercent;   ///< share of amber in a warning strip; the rest is the window colour
    QRgb outlineSource; ///< source of check box outlines, which are drawn darker
};

[[nodiscard]] const ThemeColors& themeColors(Ground ground);
/// The background of a palette, the program's or the system's.
[[nodiscard]] Ground groundOf(const QPalette& palette);
[[nodiscard]] const ThemeColors& themeColors(const QPalette& palette);
[[nodiscard]] QPalette paletteOf(Ground ground);

inline constexpr std::size_t kSeriesColors = 28;
/// A place below kSeriesColors: the theme's colours are followed by variants with more contrast to the background,
/// shifted in hue, and pale.
[[nodiscard]] QColor seriesColor(const QPalette& palette, std::size_t place);
/// The background of a warning strip on this palette's window colour.
[[nodiscard]] QColor amberGround(const QPalette& palette);
/// The background of invalid input, drawn over the base.
[[nodiscard]] QColor mistakeGround();
/// A tile colour for this number, for a white letter.
[[nodiscard]] QColor tileColor(quint64 number);

} // namespace highwater::ui
