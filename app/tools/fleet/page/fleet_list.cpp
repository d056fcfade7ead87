#include "app/tools/fleet/page/fleet_list.h"

#include "ui/format/qt_text.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/stack_list.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QSet>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kOwnerLetters = 30; ///< at least
constexpr int kPathLetters = 44;  ///< at most

/// Frames keep their order in the stack.
class FleetOrder : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        if (FleetTableModel::isFrame(left))
            return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
        return QSortFilterProxyModel::lessThan(left, right);
    }
};

QStringList titlesOf(const FleetTable& table) {
    QStringList titles;
    for (const auto& column : table.columns)
        titles << column.title;
    return titles;
}

} // namespace

FleetList::FleetList(const QString& chooses, QWidget* parent)
    : PageTable("", {}, parent), choose_(new QAction(chooses, this)) {
    build();
}

void FleetList::build() {
    setSortedModel(model_, FleetTableModel::kSortRole, new FleetOrder);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(false); // a double click activates the row instead
    setIndentation(14);
    setTextElideMode(Qt::ElideMiddle);
    connect(this, &QTreeView::expanded, this, &FleetList::spanFrames);
    sortByColumn(-1, Qt::DescendingOrder); // in the order of the answer: most important first
    header()->setSortIndicatorClearable(true);
    header()->setStretchLastSection(false);
    addAction(choose_);
    auto* copies = addListAction(*this, "", tr("&Copy"), QKeySequence::Copy);
    connect(copies, &QAction::triggered, this, &FleetList::copyRows);
    connect(choose_, &QAction::triggered, this, &FleetList::choose);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(this, &QTreeView::doubleClicked, this, &FleetList::choose);
    connect(this, &PageTable::enterPressed, this, &FleetList::choose);
    connect(this, &PageTable::rowReached, this, [this] {
        const auto row = selectedRow();
        choose_->setEnabled(row.has_value());
        if (row) emit rowSelected(*row);
    });
}

std::optional<std::size_t> FleetList::selectedRow() const {
    const auto at = current();
    return at.isValid() ? std::optional(FleetTableModel::rowOf(at)) : std::nullopt;
}

std::vector<std::size_t> FleetList::order() const {
    std::vector<std::size_t> rows;
    for (int row = 0; row < model()->rowCount(); ++row)
        rows.push_back(FleetTableModel::rowOf(toSource(model()->index(row, 0))));
    return rows;
}

QModelIndex FleetList::indexOf(std::size_t row, int column) const {
    return fromSource(model_.index(static_cast<int>(row), column));
}

void FleetList::setTable(std::shared_ptr<const FleetTable> table) {
    QSet<QString> open;
    QString selected;
    QStringList titlesBefore;
    if (const auto& before = model_.table()) {
        titlesBefore = titlesOf(*before);
        for (std::size_t row = 0; row < before->rows.size(); ++row) {
            if (isExpanded(indexOf(row))) open << model_.nameOf(row);
        }
        if (const auto row = selectedRow()) selected = model_.nameOf(*row);
    }
    const bool hadRows = model_.table() && !model_.table()->rows.empty();
    const bool isOther = !table || titlesOf(*table) != titlesBefore;
    std::size_t rows = 0, current = 0;
    refresh([&] {
        if (isOther) sortByColumn(-1, Qt::DescendingOrder); // the sorted column has changed
        model_.setTable(std::move(table));
        rows = model_.table() ? model_.table()->rows.size() : 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const auto name = model_.nameOf(row);
            if (open.contains(name)) expand(indexOf(row));
            if (name == selected) current = row;
        }
        const bool hasStacks = rows > 0 && model_.table()->columns.front().unit == FleetUnit::Frame;
        setRootIsDecorated(hasStacks);
        setItemDelegateForColumn(0, hasStacks ? new FrameDelegate(this) : nullptr);
        if (isOther || !hadRows) fitColumns(); // widths from titles alone are too narrow
        fitNumbers();
        if (rows > 0) setCurrentIndex(indexOf(current));
    });
    choose_->setEnabled(rows > 0);
    if (rows > 0) emit rowSelected(current);
}

void FleetList::setOld(bool isOld) {
    if (isOld == isOld_) return;
    isOld_ = isOld;
    setAccessibleDescription(isOld ? tr("These numbers belong to the previous query.") : QString());
    viewport()->update();
}

void FleetList::initViewItemOption(QStyleOptionViewItem* option) const {
    QTreeView::initViewItemOption(option);
    if (!isOld_) return;
    for (const auto group : {QPalette::Active, QPalette::Inactive})
        option->palette.setColor(group, QPalette::Text, option->palette.color(group, QPalette::PlaceholderText));
}

/// Fits columns to their content, except paths; functions get the remaining width.
void FleetList::fitColumns() {
    if (!model_.table()) return;
    const auto& columns = model_.table()->columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto section = static_cast<int>(i);
        resizeColumnToContents(section);
        const auto most = fontMetrics().averageCharWidth() * kPathLetters;
        if (columnWidth(section) > most) setColumnWidth(section, most);
    }
    giveOwnerTheRest();
}

/// Numbers must not be cut. Wider columns may have been resized by the user.
void FleetList::fitNumbers() {
    if (!model_.table()) return;
    const auto& table = *model_.table();
    const auto margins = 4 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!isRight(table.columns[i].unit)) continue;
        int widest = 0;
        for (const auto& row : table.rows)
            widest = std::max(widest, fontMetrics().horizontalAdvance(cellText(table, table.columns[i], row.cells[i])));
        const auto section = static_cast<int>(i);
        if (columnWidth(section) < widest + margins) setColumnWidth(section, widest + margins);
    }
    giveOwnerTheRest();
}

void FleetList::spanFrames(const QModelIndex& stack) {
    for (int row = 0; row < model()->rowCount(stack); ++row)
        setFirstColumnSpanned(row, stack, true);
}

void FleetList::giveOwnerTheRest() {
    if (!model_.table() || model_.table()->columns.empty() || model_.table()->columns.front().unit != FleetUnit::Frame)
        return;
    int others = 0;
    for (int section = 1; section < model_.columnCount(); ++section)
        others += columnWidth(section);
    setColumnWidth(0, std::max(viewport()->width() - others, fontMetrics().averageCharWidth() * kOwnerLetters));
}

void FleetList::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    giveOwnerTheRest();
}

void FleetList::choose() {
    if (const auto row = selectedRow()) emit rowChosen(*row);
}

/// Tab-separated with a title line, and the frames below each stack.
void FleetList::copyRows() const {
    if (!model_.table()) return;
    const auto& table = *model_.table();
    std::vector<std::size_t> rows;
    for (const auto& index : selectionModel()->selectedRows()) {
        const auto row = FleetTableModel::rowOf(toSource(index));
        if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    if (rows.empty()) return;
    std::sort(rows.begin(), rows.end(), [this](auto a, auto b) { return indexOf(a).row() < indexOf(b).row(); });
    QStringList lines{titlesOf(table).join(QLatin1Char('\t'))};
    for (const auto row : rows) {
        QStringList cells;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            cells << cellText(table, table.columns[i], table.rows[row].cells[i]);
        lines << cells.join(QLatin1Char('\t'));
        lines << indentedFrames(table.rows[row].frames);
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace highwater::ui

#include "moc_fleet_list.cpp"
