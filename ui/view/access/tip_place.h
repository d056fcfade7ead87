#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

namespace highwater::ui {

/// The hovered item, in one coordinate system.
struct Pointed {
    QRect rect;     ///< contains the pointer
    QPoint pointer; ///< the hot spot
};

/// Position of a tooltip of this size: within `bounds` and next to its subject. Preferably below it, otherwise above,
/// right or left; next to the pointer if there is not enough room.
[[nodiscard]] QPoint tipPlace(const QSize& tip, const Pointed& pointed, const QRect& bounds);

} // namespace highwater::ui
