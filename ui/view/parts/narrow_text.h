#pragma once

#include "ui/view/access/row_height.h"

#include <QFontMetrics>
#include <QString>

#include <cstdint>

namespace highwater::ui {

// Shortens cell texts for narrow columns. The functions are for any thread.

/// Shortens the module of "module!function" first, then the middle of the function: "Memo…!main", "…main", "…ma…in".
/// Other texts are elided in the middle.
[[nodiscard]] QString narrowedFrame(const QString& frame, const QFontMetrics& metrics, int width);
/// A time in seconds with as many decimals as fit, at most six; rounded, and without decimals if nothing fits.
[[nodiscard]] QString narrowedTime(std::int64_t ns, const QFontMetrics& metrics, int width);

/// Paints frames in this way in a list column. GUI thread only.
class FrameDelegate : public RowDelegate {
    Q_OBJECT
  public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace highwater::ui
