#pragma once

#include "ui/view/timeline/timeline_scene.h"

#include <QList>
#include <QPointF>
#include <QRectF>

class QBrush;
class QPainter;
class QPen;

namespace highwater::ui {

/// The edges of a shape from left to right: x in seconds, y in amounts.
struct TimelineOutline {
    QList<QPointF> upper;
    QList<QPointF> lower; ///< empty for a line
};

/// The outline to draw for a shape: clipped to the visible range, without slices inside a level stretch of a line or an
/// area. Pure computation.
[[nodiscard]] TimelineOutline outlineOf(const TimelineScene& scene, const TimelineShape& shape);

/// Pen around an area or bars.
[[nodiscard]] QPen edgePenOf(const TimelineShape& shape);
/// Brush of an area or bars.
[[nodiscard]] QBrush brushOf(const TimelineShape& shape);

/// Draws the lines and areas of a scene, one path each, for drawings that are viewed in other programs.
void drawShapes(QPainter& painter, const TimelineScene& scene, const QRectF& plot);

} // namespace highwater::ui
