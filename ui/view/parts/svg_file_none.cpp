#include "ui/view/parts/svg_file.h"

namespace highwater::ui {

bool canSaveSvg() { return false; }

QString saveSvg(QSize /*size*/, const QString& /*title*/, const std::function<void(QPainter& painter)>& /*draw*/,
                const QString& /*file*/) {
    return QStringLiteral("This build of Highwater cannot write SVG. Save a PNG picture instead.");
}

} // namespace highwater::ui
