#include "ui/view/table/frozen_tree_view.h"

#include "ui/view/table/pivot_header.h"

#include <QAccessible>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>

namespace highwater::ui {

FrozenTreeView::FrozenTreeView(PivotHeader* columns, QWidget* parent) : QTreeView(parent), columns_(columns) {}

int FrozenTreeView::lineAt(int y) const {
    const auto height = std::max(1, rowHeight(model()->index(0, 0)));
    return verticalScrollBar()->value() + y / height + 1;
}

int FrozenTreeView::lineOf(const QModelIndex& index) const {
    const auto rect = visualRect(index);
    return rect.top() / std::max(1, rect.height());
}

bool FrozenTreeView::isOnScreen(const QModelIndex& index) const {
    const auto rect = visualRect(index);
    return !rect.isEmpty() && viewport()->rect().intersects(QRect(0, rect.top(), viewport()->width(), rect.height()));
}

QModelIndex FrozenTreeView::topRow() const {
    // Uses the last section, because any section can find the row.
    return QTreeView::indexAt({sectionLeft(header()->count()) - 1, 0}).siblingAtColumn(0);
}

QModelIndexList FrozenTreeView::rowsOnScreen() const {
    QModelIndexList rows;
    for (auto index = topRow(); index.isValid() && isOnScreen(index); index = indexBelow(index)) {
        rows << index.siblingAtColumn(0);
    }
    return rows;
}

int FrozenTreeView::frozenSections() const { return columns_->frozenSections(); }

int FrozenTreeView::frozenWidth() const { return columns_->frozenWidth(); }

int FrozenTreeView::sectionLeft(int section) const {
    const auto position = section < header()->count() ? header()->sectionPosition(section) : header()->length();
    return section < frozenSections() ? position : position - header()->offset();
}

QModelIndex FrozenTreeView::indexAt(const QPoint& point) const {
    const auto index = QTreeView::indexAt(point);
    if (point.x() >= frozenWidth()) return index;
    // Any section can find the row. The header returns the frozen section in front of the scrolled ones.
    const auto row = index.isValid() ? index : QTreeView::indexAt({sectionLeft(header()->count()) - 1, point.y()});
    return row.siblingAtColumn(header()->logicalIndexAt(point.x() - header()->offset()));
}

QRect FrozenTreeView::visualRect(const QModelIndex& index) const {
    auto rect = QTreeView::visualRect(index);
    if (index.isValid() && index.column() < frozenSections()) rect.moveLeft(sectionLeft(index.column()));
    return rect;
}

/// Scrolls only vertically, because the caller looks for a row.
void FrozenTreeView::scrollTo(const QModelIndex& index, ScrollHint hint) {
    const auto left = horizontalScrollBar()->value();
    QTreeView::scrollTo(index, hint);
    horizontalScrollBar()->setValue(left);
}

/// QTreeView looks up the position of each changed row, even off screen, which takes longer than a frame for 200,000
/// rows.
void FrozenTreeView::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight, const QList<int>& roles) {
    if (topLeft.row() == bottomRight.row()) return QTreeView::dataChanged(topLeft, bottomRight, roles);
    viewport()->update();
    if (!QAccessible::isActive()) return;
    QAccessibleTableModelChangeEvent event(this, QAccessibleTableModelChangeEvent::DataChanged);
    event.setFirstRow(topLeft.row());
    event.setLastRow(bottomRight.row());
    event.setFirstColumn(topLeft.column());
    event.setLastColumn(bottomRight.column());
    QAccessible::updateAccessibility(&event);
}

void FrozenTreeView::scrollContentsBy(int dx, int dy) {
    QTreeView::scrollContentsBy(dx, dy);
    viewport()->update(); // frozen cells and line numbers do not scroll
}

void FrozenTreeView::resizeEvent(QResizeEvent* event) {
    const auto bottom = visualRect(currentIndex()).bottom();
    const bool wasOnScreen = isOnScreen(currentIndex()) || (bottom >= 0 && bottom < event->oldSize().height());
    QTreeView::resizeEvent(event);
    if (wasOnScreen && bottom >= viewport()->height()) scrollTo(currentIndex());
}

} // namespace highwater::ui

#include "moc_frozen_tree_view.cpp"
