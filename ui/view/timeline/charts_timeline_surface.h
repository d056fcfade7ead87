#pragma once

#include "ui/view/timeline/timeline_surface.h"

#include <memory>

namespace highwater::ui {

/// Draws with Qt Charts.
class ChartsTimelineSurface final : public TimelineSurface {
  public:
    explicit ChartsTimelineSurface(QWidget* parent);
    ~ChartsTimelineSurface() override;

    QWidget* widget() override;
    void setPlotArea(const QRectF& plot) override;
    void draw(const TimelineScene& scene) override;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::ui
