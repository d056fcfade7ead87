#include "ui/view/parts/fitted_columns.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

namespace highwater::ui {

void widenColumns(QTreeView& table, std::initializer_list<int> leftOut) {
    const QAbstractItemView& items = table; // QTreeView hides the base's overload
    const auto* header = table.header();
    for (int column = 0; column < header->count(); ++column) {
        if (std::find(leftOut.begin(), leftOut.end(), column) != leftOut.end()) continue;
        const auto needed = std::max(items.sizeHintForColumn(column), header->sectionSizeHint(column));
        if (needed > header->sectionSize(column)) table.setColumnWidth(column, needed);
    }
}

} // namespace highwater::ui
