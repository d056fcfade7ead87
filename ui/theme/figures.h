#pragma once

#include <QFont>

namespace highwater::ui {

/// Figures of one width, so that digits stand below digits in a column of numbers.
[[nodiscard]] bool hasEvenFigures(const QFont& font);
/// The font as it is where its figures are even; else with them, by the font's own feature (Qt 6.7 and later), or by a
/// family that has them. Looks at fonts: GUI thread only.
[[nodiscard]] QFont withEvenFigures(QFont font);

} // namespace highwater::ui
