#pragma once

#include <QColor>

namespace highwater::ui {

/// Requirements of WCAG 2.1 level AA: for text, and for lines, bars and pictures that carry meaning.
inline constexpr double kTextContrast = 4.5;
inline constexpr double kGraphicContrast = 3.0;

/// The contrast ratio of WCAG 2.1 between two opaque colours: from 1 to 21.
[[nodiscard]] double contrast(const QColor& one, const QColor& other);
/// The colour of `over` on an opaque background.
[[nodiscard]] QColor blended(const QColor& over, const QColor& ground);

} // namespace highwater::ui
