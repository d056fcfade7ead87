#pragma once

#include <QColor>

namespace highwater::ui {

/// What WCAG 2.1 asks for at level AA: of words, and of lines, bars and pictures that mean something.
inline constexpr double kTextContrast = 4.5;
inline constexpr double kGraphicContrast = 3.0;

/// The contrast ratio of WCAG 2.1 between two opaque colours: from 1 to 21.
[[nodiscard]] double contrast(const QColor& one, const QColor& other);
/// What `over` looks like on an opaque ground.
[[nodiscard]] QColor blended(const QColor& over, const QColor& ground);

} // namespace highwater::ui
