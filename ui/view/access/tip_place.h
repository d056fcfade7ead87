#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

namespace highwater::ui {

/// What somebody points at, in one system of coordinates.
struct Pointed {
    QRect rect;     ///< all of it; it holds the pointer
    QPoint pointer; ///< the hot spot
};

/// Where a tool tip of this size stands: within `bounds`, and beside what it tells about. Below it where that goes,
/// else above, right or left of it; beside the pointer alone where there is not that much room.
[[nodiscard]] QPoint tipPlace(const QSize& tip, const Pointed& pointed, const QRect& bounds);

} // namespace highwater::ui
