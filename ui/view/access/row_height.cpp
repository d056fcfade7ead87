#include "ui/view/access/row_height.h"

#include <QAbstractItemView>
#include <QFontMetrics>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kRowPadding = 5; ///< above and below the letters, together
constexpr int kLeastRow = 18;  ///< an icon, and a pixel on each side

} // namespace

int rowHeight(const QFontMetrics& metrics) { return std::max(kLeastRow, metrics.height() + kRowPadding); }

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    auto size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(rowHeight(option.fontMetrics));
    return size;
}

void useOneRowHeight(QAbstractItemView& view) {
    view.setItemDelegate(new RowDelegate(&view));
    if (auto* tree = qobject_cast<QTreeView*>(&view)) tree->setUniformRowHeights(true);
    if (auto* table = qobject_cast<QTableView*>(&view)) {
        table->verticalHeader()->setMinimumSectionSize(kLeastRow);
        table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    }
}

} // namespace highwater::ui
