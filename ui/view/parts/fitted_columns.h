#pragma once

#include <initializer_list>

class QTreeView;

namespace highwater::ui {

/// Gives short texts and numbers what they need, so that none is cut while others have room; never less than before, so
/// that nothing jumps while a list grows. Columns that are left out keep their width. GUI thread only.
void widenColumns(QTreeView& table, std::initializer_list<int> leftOut);

} // namespace highwater::ui
