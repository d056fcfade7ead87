#pragma once

#include "ui/state/graph_state.h"

#include <QImage>
#include <QString>

namespace highwater::ui {

class TimelineView;

/// A graph for export: title, filter and range, a legend, and the plot with its axes, in twice the screen resolution.
/// GUI thread only.
[[nodiscard]] QImage pictureOf(TimelineView& view, const GraphState& graph, double scale = 2.0);

/// Saves the same as an SVG file with lines and text. Returns an error sentence, or an empty text.
[[nodiscard]] QString saveDrawingOf(TimelineView& view, const GraphState& graph, const QString& file);

} // namespace highwater::ui
