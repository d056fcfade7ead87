#pragma once

#include <initializer_list>

class QTreeView;

namespace highwater::ui {

/// Widens columns with short texts and numbers to fit their contents while there is room. Columns never shrink, because
/// they would jump while a list grows. `leftOut` columns keep their width. GUI thread only.
void widenColumns(QTreeView& table, std::initializer_list<int> leftOut);

} // namespace highwater::ui
