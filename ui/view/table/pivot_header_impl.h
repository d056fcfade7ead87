#pragma once

#include "ui/view/table/pivot_header.h"

#include <QPoint>

namespace highwater::ui {

/// What a pressed mouse button has hold of.
struct PivotHeader::Drag {
    HeaderSpot spot;
    int pressX = 0;
    int x = 0;          ///< of the pointer
    int startWidth = 0; ///< of a section that is resized
    bool moved = false; ///< beyond the threshold: more than a click
    LayoutDrop target;  ///< of a column
    int boundary = 0;   ///< of a bar
    LayoutEdit edit;    ///< what letting go does
    int lineX = 0;

    [[nodiscard]] bool isBar() const {
        return spot.kind == HeaderSpot::Kind::Gold || spot.kind == HeaderSpot::Kind::Blue;
    }
};

} // namespace highwater::ui
