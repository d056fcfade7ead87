#pragma once

#include "core/base/units.h"

#include <QString>

namespace highwater::ui {

/// Result of a selected interval in one graph: "Change" "+10.0 MB" for outstanding memory, "Freed" "45.8 MB" for Frees.
struct SelectionAmount {
    TimeRange selection;
    QString name;
    QString amount;
};

} // namespace highwater::ui
