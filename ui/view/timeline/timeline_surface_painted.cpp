#include "ui/view/timeline/painted_timeline_surface.h"

namespace highwater::ui {

std::unique_ptr<TimelineSurface> makeTimelineSurface(QWidget* parent) {
    return std::make_unique<PaintedTimelineSurface>(parent);
}

} // namespace highwater::ui
