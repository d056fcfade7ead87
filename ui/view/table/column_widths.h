#pragma once

#include "ui/state/table/table_layout.h"

#include <vector>

class QWidget;

namespace highwater::ui {

/// Pixels per section of a table: what the reader made of it, else what suits the kind of column. The first key, which
/// says whose memory it is, gets what its texts need; the stack, or else the last key, takes what is spare of
/// `available`, unless the reader has given it a width. Where nothing is spare, times get fewer decimals, and words
/// among the values less room, before stacks get narrow, and stacks get narrow before other keys do. `contents`: what
/// the cells of each section need; 0, or none at all: not known. GUI thread only.
[[nodiscard]] std::vector<int> columnWidths(const TableLayout& layout, const QWidget& widget, int available,
                                            const std::vector<int>& contents = {});

} // namespace highwater::ui
