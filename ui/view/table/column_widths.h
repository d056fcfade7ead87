#pragma once

#include "ui/state/table/table_layout.h"

#include <vector>

class QWidget;

namespace highwater::ui {

/// Pixels per section of a table: what the reader made of it, else what suits the kind of column. The stack, or else
/// the last key, takes what is spare of `available`, unless the reader has given it a width. GUI thread only.
[[nodiscard]] std::vector<int> columnWidths(const TableLayout& layout, const QWidget& widget, int available);

} // namespace highwater::ui
