#pragma once

#include <QFont>

namespace highwater::ui {

/// Whether all figures have the same width, so that numbers below each other align.
[[nodiscard]] bool hasEvenFigures(const QFont& font);
/// The font itself if its figures have equal width; otherwise with tabular figures, by the font's own feature (Qt 6.7
/// and later) or by another family. Queries fonts: GUI thread only.
[[nodiscard]] QFont withEvenFigures(QFont font);

} // namespace highwater::ui
