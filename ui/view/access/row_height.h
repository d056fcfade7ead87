#pragma once

#include <QStyledItemDelegate>

class QAbstractItemView;
class QFontMetrics;
class QWidget;

namespace highwater::ui {

/// Height of a row in every list and table: its text, and room for icons and check boxes.
[[nodiscard]] int rowHeight(const QFontMetrics& metrics);

/// Height of a button or box in a bar.
[[nodiscard]] int controlHeight(const QFontMetrics& metrics);
/// Keeps the widget at that height plus `more` when its font changes.
void keepControlHeight(QWidget& widget, int more = 0);

/// Rows of that height, whatever their contents. Base of delegates that paint columns themselves.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// For a list, tree or table with single-line rows. Replaces its delegate, so call it before connecting to it.
void useOneRowHeight(QAbstractItemView& view);

} // namespace highwater::ui
