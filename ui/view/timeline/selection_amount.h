#pragma once

#include "core/base/units.h"

#include <QString>

namespace highwater::ui {

/// What a selected interval means in one graph: "Change" "+10.0 MB" of what is outstanding, "Freed" "45.8 MB" of Frees.
struct SelectionAmount {
    TimeRange selection;
    QString name;
    QString amount;
};

} // namespace highwater::ui
