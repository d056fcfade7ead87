#pragma once

#include "ui/state/table/table_layout.h"

#include <vector>

class QWidget;

namespace highwater::ui {

/// Widths of a table's sections in pixels: those set by the user, otherwise suitable for the column. The first key,
/// which identifies the owner of the memory, fits its texts; the stack, or the last key if there is none, takes the
/// spare part of `available` unless the user has set its width. Without spare width, times lose decimals and texts
/// among the values shrink before stacks do, and stacks shrink before other keys. `contents`: required width of each
/// section's cells; 0, or an empty list: unknown. GUI thread only.
[[nodiscard]] std::vector<int> columnWidths(const TableLayout& layout, const QWidget& widget, int available,
                                            const std::vector<int>& contents = {});

} // namespace highwater::ui
