#pragma once

#include <QImage>
#include <QString>

namespace highwater::ui {

class FlameCanvas;

/// A flame graph to give away: what it is of in a line, and all of its rows as they are zoomed, twice as fine as a
/// screen. GUI thread only.
[[nodiscard]] QImage pictureOf(const FlameCanvas& canvas, const QString& subject, double scale = 2.0);

/// The same as a drawing (SVG) that tells what each frame holds. Empty: done; else the sentence why not.
[[nodiscard]] QString saveDrawingOf(const FlameCanvas& canvas, const QString& subject, const QString& file);

} // namespace highwater::ui
