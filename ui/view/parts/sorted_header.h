#pragma once

class QTreeView;

namespace highwater::ui {

/// Enables sorting by header click, with the same arrow as in the main table: it points down if the largest value is on
/// top. (Qt's arrow means the opposite.) Call it before any other header setup. GUI thread only.
void sortByHeader(QTreeView& list);

} // namespace highwater::ui
