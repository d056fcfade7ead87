#include "ui/view/timeline/timeline_outline.h"

#include <QBrush>
#include <QPainter>
#include <QPen>
#include <QPolygonF>

#include <algorithm>
#include <iterator>

namespace highwater::ui {
namespace {

using Form = TimelineShape::Form;
using Points = QList<QPointF>;

constexpr double kBarShare = 0.86; ///< width of a bar as a part of its interval; the rest is gap

/// One point per slice from the first known one on, in its middle, and the ends of the interval, the last with the
/// remaining amount. Slices within a level stretch are omitted, because most lines are level most of the time.
Points middles(const std::vector<TraceTime>& edges, const std::vector<double>& values, double end,
               std::size_t first = 0) {
    Points points;
    if (first >= values.size()) return points;
    points.reserve(static_cast<qsizetype>(values.size() - first) + 3);
    points.append({edges[first].seconds(), values[first]});
    for (auto i = first; i < values.size(); ++i) {
        const bool isLevel =
            i > first && i + 1 < values.size() && values[i - 1] == values[i] && values[i] == values[i + 1];
        if (!isLevel) points.append({(edges[i].seconds() + edges[i + 1].seconds()) / 2.0, values[i]});
    }
    points.append({edges.back().seconds(), values.back()});
    if (end != values.back()) points.append({edges.back().seconds(), end});
    return points;
}

/// Upper and lower edge meet between the bars.
TimelineOutline barOutline(const TimelineScene& scene, const TimelineShape& shape) {
    TimelineOutline outline;
    for (std::size_t i = 0; i < shape.upper.size(); ++i) {
        const auto start = scene.edges[i].seconds();
        const auto length = scene.edges[i + 1].seconds() - start;
        const auto left = start + length * (1.0 - kBarShare) / 2.0;
        const auto right = left + length * kBarShare;
        outline.upper << QPointF(left, shape.lower[i]) << QPointF(left, shape.upper[i])
                      << QPointF(right, shape.upper[i]) << QPointF(right, shape.lower[i]);
        outline.lower << QPointF(left, shape.lower[i]) << QPointF(right, shape.lower[i]);
    }
    return outline;
}

/// Intersection of the edge from `before` to `after` with this x.
QPointF crossing(QPointF before, QPointF after, double x) {
    const auto length = after.x() - before.x();
    const auto share = length > 0.0 ? (x - before.x()) / length : 1.0;
    return {x, before.y() + (after.y() - before.y()) * share};
}

/// The part of the edge between two x. Painting converts to integers, which fails far outside: in a deep zoom with an
/// answer for the whole trace, the ends are a billion pixels away.
Points cut(const Points& edge, double left, double right) {
    const auto isBefore = [](QPointF point, double x) { return point.x() < x; };
    const auto isAfter = [](double x, QPointF point) { return x < point.x(); };
    const auto first = std::lower_bound(edge.begin(), edge.end(), left, isBefore);
    const auto last = std::upper_bound(first, edge.end(), right, isAfter);
    Points inside;
    inside.reserve(std::distance(first, last) + 2);
    if (first != edge.begin() && first != edge.end()) inside.append(crossing(*std::prev(first), *first, left));
    std::copy(first, last, std::back_inserter(inside));
    if (last != edge.begin() && last != edge.end()) inside.append(crossing(*std::prev(last), *last, right));
    return inside;
}

TimelineOutline wholeOutline(const TimelineScene& scene, const TimelineShape& shape) {
    if (shape.form == Form::Bars) return barOutline(scene, shape);
    auto upper = middles(scene.edges, shape.upper, shape.upperEnd, shape.firstSlice);
    if (shape.form == Form::Line) return {std::move(upper), {}};
    return {std::move(upper), middles(scene.edges, shape.lower, shape.lowerEnd, shape.firstSlice)};
}

QPolygonF polygonOf(const QList<QPointF>& edge, const TimelineScene& scene, const QRectF& plot) {
    const auto start = scene.visible.start.seconds();
    const auto seconds = scene.visible.end.seconds() - start;
    QPolygonF polygon;
    polygon.reserve(edge.size());
    for (const auto& point : edge) {
        const auto x = plot.left() + (point.x() - start) / seconds * plot.width();
        const auto y = plot.bottom() - (point.y() - scene.lowest) / (scene.highest - scene.lowest) * plot.height();
        polygon.append({x, y});
    }
    return polygon;
}

} // namespace

TimelineOutline outlineOf(const TimelineScene& scene, const TimelineShape& shape) {
    const auto whole = wholeOutline(scene, shape);
    const auto left = scene.visible.start.seconds();
    const auto right = scene.visible.end.seconds();
    return {cut(whole.upper, left, right), cut(whole.lower, left, right)};
}

QPen edgePenOf(const TimelineShape& shape) { return shape.edge.isValid() ? QPen(shape.edge, 1.0) : QPen(Qt::NoPen); }

/// Losses are hatched in the other direction.
QBrush brushOf(const TimelineShape& shape) {
    return {shape.color, shape.isHatched ? Qt::FDiagPattern : Qt::SolidPattern};
}

void drawShapes(QPainter& painter, const TimelineScene& scene, const QRectF& plot) {
    if (plot.isEmpty() || scene.visible.isEmpty() || scene.highest <= scene.lowest) return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& shape : scene.shapes) {
        const auto outline = outlineOf(scene, shape);
        auto polygon = polygonOf(outline.upper, scene, plot);
        if (shape.form == TimelineShape::Form::Line) {
            painter.setPen(QPen(shape.color, shape.width));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(polygon);
            continue;
        }
        const auto lower = polygonOf(outline.lower, scene, plot);
        std::copy(lower.rbegin(), lower.rend(), std::back_inserter(polygon));
        painter.setPen(edgePenOf(shape));
        painter.setBrush(brushOf(shape));
        painter.drawPolygon(polygon);
    }
}

} // namespace highwater::ui
