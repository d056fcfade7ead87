#pragma once

class QTreeView;

namespace highwater::ui {

/// Sorts this list by a click on its header, with an arrow that means what that of the main table means: it points down
/// where the largest is on top. (Qt's points down where the smallest is.) Call it before anything is done to the
/// header. GUI thread only.
void sortByHeader(QTreeView& list);

} // namespace highwater::ui
