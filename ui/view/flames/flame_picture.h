#pragma once

#include "ui/state/graph_state.h"

#include <QImage>
#include <QString>

namespace highwater::ui {

class FlameCanvas;

/// A flame graph to give away: its title, filter and range, and all of its rows as they are zoomed, twice as fine as a
/// screen. GUI thread only.
[[nodiscard]] QImage pictureOf(const FlameCanvas& canvas, const GraphState& graph, double scale = 2.0);

/// The same as a drawing (SVG) that tells what each frame holds. Empty: done; else the sentence why not.
[[nodiscard]] QString saveDrawingOf(const FlameCanvas& canvas, const GraphState& graph, const QString& file);

} // namespace highwater::ui
