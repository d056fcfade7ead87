#include "ui/view/timeline/charts_timeline_surface.h"

namespace highwater::ui {

std::unique_ptr<TimelineSurface> makeTimelineSurface(QWidget* parent) {
    return std::make_unique<ChartsTimelineSurface>(parent);
}

} // namespace highwater::ui
