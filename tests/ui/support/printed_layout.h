#pragma once

#include "ui/state/table/table_layout.h"

#include <QString>

namespace highwater::tests {

/// "Process Stack | Count Size | Impacting Size": keys, gold bar, values, blue bar, graphed.
[[nodiscard]] QString printed(const ui::TableLayout& layout);

} // namespace highwater::tests
