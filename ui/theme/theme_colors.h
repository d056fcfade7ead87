#pragma once

#include <QColor>
#include <QPalette>

#include <array>
#include <cstddef>

namespace highwater::ui {

/// Distances between and around widgets are multiples of this, across; down, bars may take halves.
inline constexpr int kGrid = 4;

/// What colours stand on. HighContrast is white, yellow and cyan on black.
enum class Ground { Light, Dark, HighContrast };
inline constexpr std::array kGrounds{Ground::Light, Ground::Dark, Ground::HighContrast};

/// Every colour that has a meaning, for one ground. What words and lines stand on is in theme_colors_test, which
/// measures that they can be read (kTextContrast, kGraphicContrast).
struct ThemeColors {
    // The palette.
    QRgb window, base, alternate, button, text;
    QRgb quiet;    ///< words that stand back: zeros, hints, what is disabled
    QRgb accent;   ///< the one: selections, what is current, bars, what is kept
    QRgb onAccent; ///< words on it
    QRgb link;
    QRgb light, midlight, mid, dark;
    // Graphs.
    std::array<QRgb, 7>
        series;        ///< after Okabe and Ito, who chose them for all eyes; as far from the ground as they must be
    QRgb highlight;    ///< an interval that stays painted
    QRgb lost;         ///< where events are missing
    QRgb grew, shrank; ///< between two lines
    QRgb found;        ///< frames that a search found; words stand on it
    // Tables and bars.
    QRgb gold, blue;    ///< the bars of a pivot table
    QRgb refusal;       ///< what cannot be dropped here, and why
    QRgb mistake;       ///< the line below what cannot be read
    QRgb recording;     ///< what records, as everywhere
    int amberPercent;   ///< of a strip that warns; the rest is the window
    QRgb outlineSource; ///< what outlines of boxes to tick are made from: drawn darker
};

[[nodiscard]] const ThemeColors& themeColors(Ground ground);
/// That which a palette has: the program's own, or the system's.
[[nodiscard]] Ground groundOf(const QPalette& palette);
[[nodiscard]] const ThemeColors& themeColors(const QPalette& palette);
[[nodiscard]] QPalette paletteOf(Ground ground);

inline constexpr std::size_t kSeriesColors = 28;
/// A place below kSeriesColors: after those of the theme they come again, away from the ground, turned, and pale.
[[nodiscard]] QColor seriesColor(const QPalette& palette, std::size_t place);
/// The ground of a strip that warns, on this palette's window.
[[nodiscard]] QColor amberGround(const QPalette& palette);
/// Below what cannot be read, in front of the base.
[[nodiscard]] QColor mistakeGround();
/// A tile for this number, under a white letter.
[[nodiscard]] QColor tileColor(quint64 number);

} // namespace highwater::ui
