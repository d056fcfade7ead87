#pragma once

#include "ui/view/table/pivot_header.h"

#include <QPoint>

namespace highwater::ui {

/// State of a mouse drag.
struct PivotHeader::Drag {
    HeaderSpot spot;
    int pressX = 0;
    int x = 0;          ///< position of the pointer
    int startWidth = 0; ///< when a section is resized
    bool moved = false; ///< beyond the threshold, so it is not a click
    LayoutDrop target;  ///< when a column is moved
    int boundary = 0;   ///< when a bar is moved
    LayoutEdit edit;    ///< applied on release
    int lineX = 0;

    [[nodiscard]] bool isBar() const {
        return spot.kind == HeaderSpot::Kind::Gold || spot.kind == HeaderSpot::Kind::Blue;
    }
};

} // namespace highwater::ui
