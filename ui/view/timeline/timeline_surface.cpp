#include "ui/view/timeline/timeline_surface.h"

#include <QLineF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <iterator>

namespace highwater::ui {

TimelineSurface::TimelineSurface(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void TimelineSurface::setPlotArea(const QRectF& plot) {
    plot_ = plot;
    update();
}

void TimelineSurface::draw(const TimelineScene& scene) {
    visible_ = {scene.visible.start.seconds(), scene.visible.end.seconds()};
    lowest_ = scene.lowest;
    highest_ = scene.highest;
    shapes_.clear();
    for (const auto& shape : scene.shapes) {
        const bool isLine = shape.form == TimelineShape::Form::Line;
        shapes_.push_back({outlineOf(scene, shape), brushOf(shape), edgePenOf(shape), isLine ? shape.width : 0.0});
    }
    update();
}

void TimelineSurface::paintEvent(QPaintEvent*) {
    if (plot_.isEmpty() || visible_.second <= visible_.first || highest_ <= lowest_) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(plot_);
    for (const auto& shape : shapes_)
        paint(painter, shape);
}

QPointF TimelineSurface::pixelOf(QPointF point) const {
    return {plot_.left() + (point.x() - visible_.first) / (visible_.second - visible_.first) * plot_.width(),
            plot_.bottom() - (point.y() - lowest_) / (highest_ - lowest_) * plot_.height()};
}

void TimelineSurface::paint(QPainter& painter, const Outlined& shape) const {
    if (shape.lineWidth > 0.0)
        paintLine(painter, shape);
    else
        paintArea(painter, shape);
}

/// Draws each piece separately, because joining a thousand of them takes many times longer and looks the same.
void TimelineSurface::paintLine(QPainter& painter, const Outlined& shape) const {
    const auto& edge = shape.outline.upper;
    QList<QLineF> pieces;
    pieces.reserve(edge.size());
    for (qsizetype i = 1; i < edge.size(); ++i)
        pieces.append({pixelOf(edge[i - 1]), pixelOf(edge[i])});
    painter.setPen(QPen(shape.brush, shape.lineWidth));
    painter.drawLines(pieces);
}

void TimelineSurface::paintArea(QPainter& painter, const Outlined& shape) const {
    QPolygonF polygon;
    polygon.reserve(shape.outline.upper.size() + shape.outline.lower.size());
    const auto toPixel = [this](QPointF point) { return pixelOf(point); };
    std::transform(shape.outline.upper.begin(), shape.outline.upper.end(), std::back_inserter(polygon), toPixel);
    std::transform(shape.outline.lower.rbegin(), shape.outline.lower.rend(), std::back_inserter(polygon), toPixel);
    painter.setPen(shape.edge);
    painter.setBrush(shape.brush);
    painter.drawPolygon(polygon);
}

} // namespace highwater::ui
