#pragma once

#include <QStyledItemDelegate>

namespace highwater::ui {

/// Draws HistogramTableModel::kPartsRole as a bar: what is kept stands out, what was freed is grey. GUI thread only.
class HistogramBarDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace highwater::ui
