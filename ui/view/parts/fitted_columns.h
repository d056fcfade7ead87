#pragma once

#include <initializer_list>

class QTreeView;

namespace highwater::ui {

/// Widens columns of short texts and numbers to their contents, so that nothing is cut while there is room. Columns
/// never shrink, so that they do not jump while a list grows. `leftOut` columns keep their width. GUI thread only.
void widenColumns(QTreeView& table, std::initializer_list<int> leftOut);

} // namespace highwater::ui
