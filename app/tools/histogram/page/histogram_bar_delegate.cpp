#include "app/tools/histogram/page/histogram_bar_delegate.h"

#include "app/tools/histogram/page/histogram_table_model.h"

#include <QPainter>
#include <QPointF>

#include <algorithm>

namespace highwater::ui {

void HistogramBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
    RowDelegate::paint(painter, option, index);
    const auto parts = index.data(HistogramTableModel::kPartsRole).toPointF();
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const auto kept = option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Highlight);
    const auto freed = option.palette.color(QPalette::Disabled, isSelected ? QPalette::Midlight : QPalette::WindowText);
    auto box = QRectF(option.rect).adjusted(4, 3, -4, -3);
    const auto whole = box.width();
    const auto draw = [&](double part, const QColor& color) {
        if (part <= 0) return;
        box.setWidth(std::max(1.0, whole * part)); // small amounts stay visible
        painter->fillRect(box, color);
        box.moveLeft(box.right());
    };
    draw(parts.x(), kept);
    draw(parts.y(), freed);
}

} // namespace highwater::ui

#include "moc_histogram_bar_delegate.cpp"
