#pragma once

#include "ui/view/access/row_height.h"

namespace highwater::ui {

/// Draws HistogramTableModel::kPartsRole as a bar: the kept part is emphasized, the freed part is grey. GUI thread
/// only.
class HistogramBarDelegate : public RowDelegate {
    Q_OBJECT
  public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace highwater::ui
