#include "app/pages/coming_name.h"

#include "core/analysis/frames/frame_labels.h"
#include "ui/format/qt_text.h"

namespace highwater::app {

std::string comingName(const std::string& label) {
    const auto mark = label.find('!');
    const auto start = mark == std::string::npos ? 0 : mark + 1;
    if (!analysis::isOffset(std::string_view(label).substr(start))) return label;
    return label.substr(0, start) + ui::tr("(naming…)").toStdString();
}

} // namespace highwater::app
