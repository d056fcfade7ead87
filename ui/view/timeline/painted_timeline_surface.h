#pragma once

#include "ui/view/timeline/timeline_surface.h"

namespace highwater::ui {

/// Draws with QPainter alone, where Qt Charts is not to be had. The pictures are those of ChartsTimelineSurface.
class PaintedTimelineSurface final : public TimelineSurface {
  public:
    explicit PaintedTimelineSurface(QWidget* parent);

    QWidget* widget() override;
    void setPlotArea(const QRectF& plot) override;
    void draw(const TimelineScene& scene) override;

  private:
    class Canvas;
    Canvas* canvas_; ///< owned by its parent
};

} // namespace highwater::ui
