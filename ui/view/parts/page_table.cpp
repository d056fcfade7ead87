#include "ui/view/parts/page_table.h"

#include "ui/format/plain_text.h"
#include "ui/view/access/row_height.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMetaMethod>
#include <QPainter>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QToolButton>

#include <utility>

namespace highwater::ui {
namespace {

/// Paints the colour of a cell unchanged in a selected row, with a frame, because the style would tint it, and because
/// it may be that of the highlight.
class ColorDelegate : public RowDelegate {
  public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        RowDelegate::paint(painter, option, index);
        const auto color = index.data(Qt::DecorationRole).value<QColor>();
        if (!color.isValid() || !(option.state & QStyle::State_Selected)) return;
        auto cell = option;
        initStyleOption(&cell, index);
        const auto* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
        const auto swatch = style->subElementRect(QStyle::SE_ItemViewItemDecoration, &cell, cell.widget);
        painter->fillRect(swatch, cell.palette.color(QPalette::HighlightedText));
        painter->fillRect(swatch.adjusted(1, 1, -1, -1), color);
    }
};

} // namespace

PageTable::PageTable(const char* objectName, const QString& title, QWidget* parent) : QTreeView(parent) {
    setObjectName(QLatin1String(objectName));
    setAccessibleName(title);
    useOneRowHeight(*this);
    setItemDelegate(new ColorDelegate(this));
    setAlternatingRowColors(true);
}

void PageTable::setModel(QAbstractItemModel* model) {
    QTreeView::setModel(model);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (!isRefreshing_) emit rowReached();
    });
}

void PageTable::setSortedModel(QAbstractItemModel& model, int sortRole, QSortFilterProxyModel* sorted) {
    sorted_ = sorted != nullptr ? sorted : new QSortFilterProxyModel;
    sorted_->setParent(this);
    sorted_->setSourceModel(&model);
    sorted_->setSortRole(sortRole);
    sorted_->setSortCaseSensitivity(Qt::CaseInsensitive);
    setModel(sorted_);
    setSortingEnabled(true);
}

/// Uses the page's font, because a theme may give lists another one.
void PageTable::setLetters(std::span<const int> letters) {
    const auto width = QFontMetrics(QApplication::font()).averageCharWidth();
    for (std::size_t column = 0; column < letters.size(); ++column)
        setColumnWidth(static_cast<int>(column), width * letters[column]);
}

void PageTable::setCopiedLines(std::function<std::optional<QStringList>()> lines) {
    copiedLines_ = std::move(lines);
    auto* copies = new QShortcut(QKeySequence::Copy, this, this, &PageTable::copy);
    copies->setContext(Qt::WidgetShortcut);
}

void PageTable::copy() const {
    if (!copiedLines_) return;
    if (const auto lines = copiedLines_()) QApplication::clipboard()->setText(lines->join(QLatin1Char('\n')));
}

QModelIndex PageTable::toSource(const QModelIndex& shown) const {
    return sorted_ ? sorted_->mapToSource(shown) : shown;
}

QModelIndex PageTable::fromSource(const QModelIndex& index) const {
    return sorted_ ? sorted_->mapFromSource(index) : index;
}

void PageTable::refresh(const std::function<void()>& change) {
    isRefreshing_ = true;
    change();
    isRefreshing_ = false;
}

/// Not an event filter, because a cell editor passes on the key that closes it.
void PageTable::keyPressEvent(QKeyEvent* event) {
    static const auto kEnter = QMetaMethod::fromSignal(&PageTable::enterPressed);
    static const auto kSpace = QMetaMethod::fromSignal(&PageTable::toggled);
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isForPage = currentIndex().isValid() && state() != EditingState;
    if (isForPage && isEnter && isSignalConnected(kEnter)) return emit enterPressed();
    if (isForPage && event->key() == Qt::Key_Space && isSignalConnected(kSpace)) return emit toggled();
    QTreeView::keyPressEvent(event);
}

QToolButton* makeShowRowsButton(PageTable& table, const QString& text, const QString& toolTip, const QAction* command) {
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("showRows"));
    button->setText(text);
    button->setToolTip(tooltipText(toolTip));
    button->setFocusPolicy(Qt::TabFocus);
    QObject::connect(button, &QToolButton::clicked, &table, &PageTable::enterPressed);
    if (command != nullptr) {
        QObject::connect(command, &QAction::enabledChanged, button, &QWidget::setEnabled);
        button->setEnabled(command->isEnabled());
        return button;
    }
    const auto follow = [&table, button] { button->setEnabled(table.currentIndex().isValid()); };
    QObject::connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, button, follow);
    QObject::connect(table.model(), &QAbstractItemModel::modelReset, button, follow);
    follow();
    return button;
}

QAction* addListAction(QAbstractItemView& list, const char* objectName, const QString& text, const QKeySequence& key) {
    auto* action = new QAction(text, &list);
    action->setObjectName(QLatin1String(objectName));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    list.addAction(action);
    return action;
}

QString tabbedCells(const QModelIndex& row) {
    QStringList cells;
    for (int column = 0; row.isValid() && column < row.model()->columnCount(row.parent()); ++column)
        cells << row.siblingAtColumn(column).data().toString();
    return cells.join(QLatin1Char('\t'));
}

} // namespace highwater::ui

#include "moc_page_table.cpp"
