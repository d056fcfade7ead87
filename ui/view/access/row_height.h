#pragma once

#include <QStyledItemDelegate>

class QAbstractItemView;
class QFontMetrics;
class QWidget;

namespace highwater::ui {

/// How high a row is, in every list and table of the program: its letters, and room for icons and boxes to tick.
[[nodiscard]] int rowHeight(const QFontMetrics& metrics);

/// How high a button or box of a bar is.
[[nodiscard]] int controlHeight(const QFontMetrics& metrics);
/// The widget has that height and `more`, whatever letters it gets.
void keepControlHeight(QWidget& widget, int more = 0);

/// Rows of that height, whatever is in them; for columns that are drawn in their own way to inherit from.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// For a list, tree or table whose rows are lines. Before anything is connected to its delegate, which is replaced.
void useOneRowHeight(QAbstractItemView& view);

} // namespace highwater::ui
