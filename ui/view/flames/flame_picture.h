#pragma once

#include <QImage>
#include <QString>

namespace highwater::ui {

class FlameCanvas;

/// A flame graph for export: a title line and all rows at the current zoom, in twice the screen resolution. GUI thread
/// only.
[[nodiscard]] QImage pictureOf(const FlameCanvas& canvas, const QString& subject, double scale = 2.0);

/// The same as an SVG drawing with the facts of each frame. Returns an error sentence, or an empty text.
[[nodiscard]] QString saveDrawingOf(const FlameCanvas& canvas, const QString& subject, const QString& file);

} // namespace highwater::ui
