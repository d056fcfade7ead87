#pragma once

#include "ui/view/parts/line_icons.h"

#include <QStyle>

#include <optional>

namespace highwater::app {

/// The program's replacement for an icon of Qt; empty: use Qt's.
[[nodiscard]] std::optional<ui::LineIcon> lineIconOf(QStyle::StandardPixmap pixmap);

} // namespace highwater::app
