#include "ui/view/access/row_height.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kRowPadding = 5; ///< above and below the text, together
constexpr int kLeastRow = 18;  ///< an icon with a pixel on each side
constexpr int kLeastControl = 24, kControlPadding = 7;

/// A child of the widget whose height it keeps.
class HeightKeeper : public QObject {
  public:
    HeightKeeper(QWidget& widget, int more) : QObject(&widget), more_(more) {
        widget.installEventFilter(this);
        fit(widget);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FontChange) fit(*static_cast<QWidget*>(watched));
        return false;
    }

  private:
    void fit(QWidget& widget) const { widget.setFixedHeight(controlHeight(widget.fontMetrics()) + more_); }

    int more_;
};

} // namespace

int rowHeight(const QFontMetrics& metrics) { return std::max(kLeastRow, metrics.height() + kRowPadding); }

int controlHeight(const QFontMetrics& metrics) { return std::max(kLeastControl, metrics.height() + kControlPadding); }

void keepControlHeight(QWidget& widget, int more) { new HeightKeeper(widget, more); }

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

#include "moc_row_height.cpp"
