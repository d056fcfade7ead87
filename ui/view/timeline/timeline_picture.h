#pragma once

#include "ui/state/graph_state.h"

#include <QImage>
#include <QString>

namespace highwater::ui {

class TimelineView;

/// A graph to give away: its title, filter and range, a legend, and the plot with its axes, twice as fine as a screen.
/// GUI thread only.
[[nodiscard]] QImage pictureOf(TimelineView& view, const GraphState& graph, double scale = 2.0);

/// The same as a file of lines and letters (SVG). Empty: done; else the sentence why not.
[[nodiscard]] QString saveDrawingOf(TimelineView& view, const GraphState& graph, const QString& file);

} // namespace highwater::ui
