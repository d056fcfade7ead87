#pragma once

#include "ui/view/parts/line_icons.h"

#include <QStyle>

#include <optional>

namespace highwater::app {

/// The program's own icon in place of one of Qt's; nothing: Qt's, of what this program does not have.
[[nodiscard]] std::optional<ui::LineIcon> lineIconOf(QStyle::StandardPixmap pixmap);

} // namespace highwater::app
