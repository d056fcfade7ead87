#pragma once

#include "ui/view/access/row_height.h"

namespace highwater::ui {

/// Draws HistogramTableModel::kPartsRole as a bar: what is kept stands out, what was freed is grey. GUI thread only.
class HistogramBarDelegate : public RowDelegate {
    Q_OBJECT
  public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace highwater::ui
