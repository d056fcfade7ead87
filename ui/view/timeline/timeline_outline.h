#pragma once

#include "ui/view/timeline/timeline_scene.h"

#include <QList>
#include <QPointF>
#include <QRectF>

class QPainter;
class QPen;

namespace highwater::ui {

/// The edges of a shape from left to right: x in seconds, y in amounts.
struct TimelineOutline {
    QList<QPointF> upper;
    QList<QPointF> lower; ///< empty for a line
};

/// What is drawn for a shape: cut at the ends of what is visible, and slices within
/// a level stretch of a line or an area are left out. Pure computation.
[[nodiscard]] TimelineOutline outlineOf(const TimelineScene& scene, const TimelineShape& shape);

/// Around an area or bars.
[[nodiscard]] QPen edgePenOf(const TimelineShape& shape);

/// The lines and areas of a scene, one path each, for drawings that are looked at without this program.
void drawShapes(QPainter& painter, const TimelineScene& scene, const QRectF& plot);

} // namespace highwater::ui
