#pragma once

#include "core/analysis/held/held_by.h"
#include "ui/state/finders/flame_finder.h"

#include <vector>

namespace highwater::ui {

/// The same tree as the rows of the page as a flame graph, by bytes. Any thread.
[[nodiscard]] FlameAnswer heldFlamesOf(const std::vector<analysis::HeldBy>& processes);

} // namespace highwater::ui
