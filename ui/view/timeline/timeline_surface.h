#pragma once

#include "ui/view/timeline/timeline_scene.h"

#include <QRectF>

#include <memory>

class QWidget;

namespace highwater::ui {

/// The drawing of shapes, and nothing else: axes, selection and input belong to TimelineView. One small class, so that
/// the library behind it can be replaced. GUI thread only.
class TimelineSurface {
  public:
    virtual ~TimelineSurface() = default;
    /// Fills the timeline view; transparent, takes no input. Owned by its parent.
    virtual QWidget* widget() = 0;
    /// Where shapes are drawn, in pixels of the widget.
    virtual void setPlotArea(const QRectF& plot) = 0;
    virtual void draw(const TimelineScene& scene) = 0;
};

/// Draws with Qt Charts if the build found it (HIGHWATER_CHARTS), else with QPainter. There is one definition for each;
/// CMake takes one of them.
[[nodiscard]] std::unique_ptr<TimelineSurface> makeTimelineSurface(QWidget* parent);

} // namespace highwater::ui
