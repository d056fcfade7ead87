#pragma once

#include "ui/view/access/row_height.h"

#include <QFontMetrics>
#include <QString>

#include <cstdint>

namespace highwater::ui {

// What is left of the texts of cells where their column is narrow. The functions are for any thread.

/// Of "module!function" the module goes first, then the middle of the function: "Memo…!main", "…main", "…ma…in". Other
/// texts lose their middle.
[[nodiscard]] QString narrowedFrame(const QString& frame, const QFontMetrics& metrics, int width);
/// A time in seconds with as many decimals as fit, at most six; rounded, and with none if even that does not fit.
[[nodiscard]] QString narrowedTime(std::int64_t ns, const QFontMetrics& metrics, int width);

/// Paints frames so, in a column of a list. GUI thread only.
class FrameDelegate : public RowDelegate {
    Q_OBJECT
  public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace highwater::ui
