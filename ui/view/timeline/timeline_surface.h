#pragma once

#include "ui/view/timeline/timeline_outline.h"
#include "ui/view/timeline/timeline_scene.h"

#include <QColor>
#include <QPen>
#include <QRectF>
#include <QWidget>

#include <utility>
#include <vector>

namespace highwater::ui {

/// Draws only shapes; axes, selection and input belong to TimelineView. Transparent, ignores input. GUI thread only.
class TimelineSurface final : public QWidget {
  public:
    explicit TimelineSurface(QWidget* parent);

    /// Area of the shapes in pixels of the widget.
    void setPlotArea(const QRectF& plot);
    void draw(const TimelineScene& scene);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Outlined {
        TimelineOutline outline;
        QBrush brush; ///< fill, or the colour of a line
        QPen edge;
        double lineWidth = 0.0; ///< 0: filled
    };

    [[nodiscard]] QPointF pixelOf(QPointF point) const;
    void paint(QPainter& painter, const Outlined& shape) const;
    void paintLine(QPainter& painter, const Outlined& shape) const;
    void paintArea(QPainter& painter, const Outlined& shape) const;

    QRectF plot_;
    std::pair<double, double> visible_{0.0, 0.0}; ///< seconds
    double lowest_ = 0.0;
    double highest_ = 0.0;
    std::vector<Outlined> shapes_;
};

} // namespace highwater::ui
