#pragma once

#include "ui/state/query_runner.h"

#include <QColor>
#include <QRectF>

#include <memory>
#include <vector>

class QWidget;

namespace highwater::ui {

/// What a surface draws: lines, each with its colour, over a range of time and of bytes.
struct TimelineScene {
    std::shared_ptr<const TimelineAnswer> answer;
    std::vector<QColor> colors; ///< per series; invalid: not drawn
    TimeRange visible;          ///< what the plot shows; may differ from the answer's interval while a zoom is answered
    double lowestBytes = 0;
    double highestBytes = 1;
};

/// The drawing of lines, and nothing else: axes, selection and input belong to TimelineView. One small class, so that
/// the library behind it can be replaced. GUI thread only.
class TimelineSurface {
  public:
    virtual ~TimelineSurface() = default;
    /// Fills the timeline view; transparent, takes no input. Owned by its parent.
    virtual QWidget* widget() = 0;
    /// Where lines are drawn, in pixels of the widget.
    virtual void setPlotArea(const QRectF& plot) = 0;
    virtual void draw(const TimelineScene& scene) = 0;
};

} // namespace highwater::ui
