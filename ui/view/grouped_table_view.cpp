#include "ui/view/grouped_table_view.h"

#include "ui/model/grouped_table_model.h"
#include "ui/view/pivot_delegate.h"
#include "ui/view/row_keeper.h"
#include "ui/view/table_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace highwater::ui {

using analysis::Column;
using analysis::KeyPath;

namespace {

constexpr int kMinimumStackWidth = 260;

/// The widest text that a column of this kind usually holds.
QString widestSample(analysis::ValueColumn column) {
    switch (analysis::valueKind(column)) {
    case analysis::ValueKind::Bytes:
    case analysis::ValueKind::SignedBytes:
        return QStringLiteral("−9,999.9 MB");
    case analysis::ValueKind::Time:
        return QStringLiteral("999.999999 s");
    case analysis::ValueKind::Duration:
        return QStringLiteral("9,999.999 s");
    case analysis::ValueKind::Hex:
        return QStringLiteral("0x7ff612345678");
    case analysis::ValueKind::Count:
        return QStringLiteral("9,999,999");
    case analysis::ValueKind::Text:
        break;
    }
    return QStringLiteral("Heap destroyed");
}

QString widestKey(Column column) {
    if (column == Column::Process || column == Column::ProcessName) return QStringLiteral("MemoryTestApp.exe (12345)");
    if (column == Column::Handle || column == Column::Address) return QStringLiteral("0x7ff612345678");
    return QStringLiteral("AIFO (not freed)");
}

/// Rows in the order on screen: by their positions from the top.
std::vector<int> positionOf(QModelIndex index) {
    std::vector<int> position;
    for (; index.isValid(); index = index.parent()) {
        position.insert(position.begin(), index.row());
    }
    return position;
}

} // namespace

GroupedTableView::GroupedTableView(GraphState& state, GroupedTableModel& model, QWidget* parent)
    : QTreeView(parent), state_(state), model_(model), delegate_(new PivotDelegate(model, *this)) {
    build();
    rows_ = new RowKeeper(model_, *this);
    actions_ = new TableActions(state, *this);
    connectModel();
    actions_->refresh();
}

void GroupedTableView::build() {
    setObjectName(QStringLiteral("table"));
    setAccessibleName(tr("Table"));
    setModel(&model_);
    setItemDelegate(delegate_);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setRootIsDecorated(false); // the delegate draws triangles, in the column of the key
    setIndentation(0);
    setExpandsOnDoubleClick(false);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTextElideMode(Qt::ElideMiddle);
    setFrameShape(QFrame::NoFrame);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(24);
    header()->setSortIndicator(-1, Qt::DescendingOrder);
    setSortingEnabled(true);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
}

void GroupedTableView::connectModel() {
    connect(rows_, &RowKeeper::openWanted, this, &GroupedTableView::openWanted);
    connect(rows_, &RowKeeper::selectionChanged, this,
            [this] { state_.paintRows(rows_->selectedPaths(kMaxPaintedRows)); });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, actions_, &TableActions::refresh);
    connect(header(), &QWidget::customContextMenuRequested, this, &GroupedTableView::showHeaderMenu);
    connect(header(), &QHeaderView::sectionResized, viewport(), qOverload<>(&QWidget::update));
    connect(&model_, &GroupedTableModel::sortWanted, this, &GroupedTableView::changeSort);
    const auto followColumns = [this] {
        fitColumns();
        showSort();
        actions_->refresh();
    };
    connect(&model_, &QAbstractItemModel::modelReset, this, followColumns);
    connect(&model_, &QAbstractItemModel::headerDataChanged, this, followColumns);
}

std::vector<KeyPath> GroupedTableView::expandedPaths() const { return rows_->expandedPaths(); }

void GroupedTableView::forgetRows() { rows_->forget(); }

void GroupedTableView::reveal(const KeyPath& path) { rows_->reveal(path); }

KeyPath GroupedTableView::currentPath() const { return rows_->currentPath(); }

void GroupedTableView::showOpened(const OpenWish& wish, const TableRow& row) { rows_->showOpened(wish, row); }

void GroupedTableView::collapseEverything() { rows_->collapseAll(); }

void GroupedTableView::turnStack() {
    rows_->forgetColumn(Column::Stack);
    rows_->forgetColumn(Column::StackBottomUp);
    const auto direction = stackDirection(state_.layout());
    if (!direction) return;
    const bool isTopDown = *direction == StackDirection::TopDown;
    state_.setLayout(
        withStackDirection(state_.layout(), isTopDown ? StackDirection::BottomUp : StackDirection::TopDown));
}

void GroupedTableView::expandHotPath() {
    emit openWanted({.node = currentIndex().isValid() ? model_.nodeOf(currentIndex()) : analysis::GroupedTable::kRoot,
                     .mode = OpenMode::HotPath});
}

// Geometry

int GroupedTableView::lineAt(int y) const {
    const auto height = std::max(1, rowHeight(model_.index(0, 0)));
    return verticalScrollBar()->value() + y / height + 1;
}

std::optional<int> GroupedTableView::currentLine() const {
    const auto rect = visualRect(currentIndex());
    if (rect.isEmpty() || !viewport()->rect().intersects(rect)) return std::nullopt;
    return rect.top() / std::max(1, rect.height());
}

int GroupedTableView::frozenSections() const {
    if (header()->offset() == 0) return 0;
    constexpr double kMostFrozen = 0.6; // of the width: more would leave no room to scroll
    int sections = 0;
    for (int width = 0; sections < std::min(header()->count(), 2); ++sections) {
        width += header()->sectionSize(sections);
        if (width > kMostFrozen * viewport()->width()) break;
    }
    return sections;
}

int GroupedTableView::frozenWidth() const {
    const auto sections = frozenSections();
    return sections == 0 ? 0 : header()->sectionPosition(sections - 1) + header()->sectionSize(sections - 1);
}

int GroupedTableView::sectionLeft(int section) const {
    const auto position = section < header()->count() ? header()->sectionPosition(section) : header()->length();
    return section < frozenSections() ? position : position - header()->offset();
}

std::optional<int> GroupedTableView::goldLeft() const {
    const auto edge = barEdge(goldSection(model_.shownLayout()));
    return edge ? std::optional(*edge - kBarWidth) : std::nullopt;
}

std::optional<int> GroupedTableView::blueLeft() const {
    const auto edge = barEdge(blueSection(model_.shownLayout()));
    // Where nothing is graphed the bar closes the table.
    return edge && *edge + kBarWidth > viewport()->width() ? std::optional(*edge - kBarWidth) : edge;
}

std::optional<int> GroupedTableView::barEdge(int section) const {
    const auto frozen = frozenSections();
    if (frozen > 0 && section == frozen) return frozenWidth();
    const auto left = sectionLeft(section);
    return section < frozen || left >= frozenWidth() ? std::optional(left) : std::nullopt;
}

QModelIndex GroupedTableView::indexAt(const QPoint& point) const {
    const auto index = QTreeView::indexAt(point);
    if (point.x() >= frozenWidth()) return index;
    // Any section that is there tells the row; which one it is in front of the scrolled ones, the header knows.
    const auto row = index.isValid() ? index : QTreeView::indexAt({sectionLeft(header()->count()) - 1, point.y()});
    return row.siblingAtColumn(header()->logicalIndexAt(point.x() - header()->offset()));
}

QRect GroupedTableView::visualRect(const QModelIndex& index) const {
    auto rect = QTreeView::visualRect(index);
    if (index.isValid() && index.column() < frozenSections()) rect.moveLeft(sectionLeft(index.column()));
    return rect;
}

/// Rows are what is looked for: sideways nothing moves.
void GroupedTableView::scrollTo(const QModelIndex& index, ScrollHint hint) {
    const auto left = horizontalScrollBar()->value();
    QTreeView::scrollTo(index, hint);
    horizontalScrollBar()->setValue(left);
}

/// Letters are commands here, and Find looks through all rows.
void GroupedTableView::keyboardSearch(const QString& /*search*/) {}

void GroupedTableView::scrollContentsBy(int dx, int dy) {
    QTreeView::scrollContentsBy(dx, dy);
    viewport()->update(); // frozen cells and line numbers do not move along
}

// Drawing

void GroupedTableView::drawRow(QPainter* painter, const QStyleOptionViewItem& options, const QModelIndex& index) const {
    QStyleOptionViewItem row = options;
    row.features.setFlag(QStyleOptionViewItem::Alternate, lineAt(row.rect.top()) % 2 == 0);
    row.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
    row.state.setFlag(QStyle::State_HasFocus, false);
    const auto frozen = frozenWidth();
    painter->save();
    painter->setClipRect(row.rect.adjusted(frozen, 0, 0, 0), Qt::IntersectClip);
    drawCells(painter, row, index, frozenSections(), header()->count());
    painter->restore();
    if (frozen == 0) return;
    painter->save();
    painter->setClipRect(QRect(0, row.rect.top(), frozen, row.rect.height()), Qt::IntersectClip);
    drawCells(painter, row, index, 0, frozenSections());
    painter->restore();
}

void GroupedTableView::drawCells(QPainter* painter, const QStyleOptionViewItem& row, const QModelIndex& index, int from,
                                 int to) const {
    style()->drawPrimitive(QStyle::PE_PanelItemViewRow, &row, painter, this);
    const auto right = viewport()->width();
    for (int section = from; section < to; ++section) {
        const auto left = sectionLeft(section);
        const auto width = header()->sectionSize(section);
        if (header()->isSectionHidden(section) || left >= right || left + width <= 0) continue;
        const auto cellIndex = index.siblingAtColumn(section);
        auto cell = row;
        cell.rect = QRect(left, row.rect.top(), width, row.rect.height());
        cell.viewItemPosition = QStyleOptionViewItem::Middle;
        cell.state.setFlag(QStyle::State_HasFocus, hasFocus() && cellIndex == currentIndex());
        delegate_->paint(painter, cell, cellIndex);
    }
}

void GroupedTableView::drawBranches(QPainter* /*painter*/, const QRect& /*rect*/, const QModelIndex& /*index*/) const {}

void GroupedTableView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (!model_.answer()) return;
    QPainter painter(viewport());
    const auto drawBar = [&](std::optional<int> left, const QColor& color) {
        if (left) painter.fillRect(*left, 0, kBarWidth, viewport()->height(), color);
    };
    drawBar(goldLeft(), goldColor());
    drawBar(blueLeft(), blueColor());
}

// Mouse and keys

bool GroupedTableView::toggleAt(const QPoint& point) {
    const auto index = indexAt(point);
    if (!index.isValid() || !delegate_->triangleRect(index, visualRect(index)).contains(point)) return false;
    toggle(index.siblingAtColumn(0));
    return true;
}

void GroupedTableView::toggle(const QModelIndex& row) { setExpanded(row, !isExpanded(row)); }

void GroupedTableView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && toggleAt(event->pos())) return event->accept();
    QTreeView::mousePressEvent(event);
}

void GroupedTableView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QTreeView::mouseDoubleClickEvent(event);
    event->accept();
    if (toggleAt(event->pos())) return;
    const auto row = indexAt(event->pos()).siblingAtColumn(0);
    if (row.isValid() && model_.hasChildren(row)) toggle(row);
}

void GroupedTableView::keyPressEvent(QKeyEvent* event) {
    const auto row = currentIndex().siblingAtColumn(0);
    const bool isPlain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    if (isPlain && row.isValid() && handleTreeKey(event->key(), row)) return event->accept();
    QTreeView::keyPressEvent(event);
}

bool GroupedTableView::handleTreeKey(int key, const QModelIndex& row) {
    const bool hasRows = model_.hasChildren(row);
    switch (key) {
    case Qt::Key_Right:
        if (hasRows && !isExpanded(row))
            expand(row);
        else if (model_.rowCount(row) > 0)
            setCurrentIndex(model_.index(0, 0, row));
        return true;
    case Qt::Key_Left:
        if (hasRows && isExpanded(row))
            collapse(row);
        else if (row.parent().isValid())
            setCurrentIndex(row.parent());
        return true;
    case Qt::Key_Plus:
        expand(row);
        return true;
    case Qt::Key_Minus:
        collapse(row);
        return true;
    case Qt::Key_Asterisk:
        if (hasRows) emit expandWanted({.node = model_.nodeOf(row), .mode = OpenMode::Levels});
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (hasRows) toggle(row);
        return true;
    default:
        return false;
    }
}

// Commands

QModelIndexList GroupedTableView::selectedRowsInOrder() const {
    std::vector<std::pair<std::vector<int>, QModelIndex>> rows;
    for (const auto& index : selectionModel()->selectedRows(0)) {
        rows.emplace_back(positionOf(index), index);
    }
    std::sort(rows.begin(), rows.end());
    QModelIndexList sorted;
    for (const auto& row : rows) {
        sorted << row.second;
    }
    return sorted;
}

QString GroupedTableView::describe(const QModelIndex& index) const {
    QStringList parts;
    for (auto at = index.siblingAtColumn(0); at.isValid(); at = at.parent()) {
        const bool isInnerFrame = at != index.siblingAtColumn(0) && analysis::isStack(model_.rowOf(at)->step.column);
        if (!isInnerFrame) parts.prepend(model_.describeKey(at));
    }
    return parts.join(QStringLiteral(" › "));
}

void GroupedTableView::filterSelection(analysis::RowFilter::Clause::Mode mode) {
    const auto rows = selectedRowsInOrder();
    if (rows.isEmpty()) return;
    FilterStep step{.clause = {.mode = mode, .anyOf = {}}, .text = describe(rows.first())};
    for (const auto& row : rows) {
        step.clause.anyOf.push_back(model_.pathOf(row));
    }
    if (rows.size() > 1) step.text += tr(" (+%1 more)").arg(rows.size() - 1);
    if (mode == analysis::RowFilter::Clause::Mode::Remove) step.text = tr("not %1").arg(step.text);
    state_.addFilter(std::move(step));
}

void GroupedTableView::copySelection() const {
    const auto gold = goldSection(model_.shownLayout());
    const auto count = model_.columnCount();
    QStringList cells;
    for (int section = 1; section < count; ++section) {
        cells << model_.headerData(section, Qt::Horizontal).toString();
    }
    QStringList lines{cells.join(QLatin1Char('\t'))};
    for (const auto& row : selectedRowsInOrder()) {
        cells = QStringList(gold - 1);
        for (auto at = row; at.isValid(); at = at.parent()) {
            auto& cell = cells[model_.keySection(at) - 1];
            cell = cell.isEmpty() ? model_.keyText(at) : model_.keyText(at) + QStringLiteral(" > ") + cell;
        }
        for (int section = gold; section < count; ++section) {
            cells << row.siblingAtColumn(section).data(GroupedTableModel::PlainTextRole).toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

ShownRows GroupedTableView::shownRows() const {
    ShownRows shown{.trace = nullptr, .answer = model_.answer(), .rows = {}, .kept = model_.keepRows()};
    const auto add = [&](const auto& self, const QModelIndex& parent, int level) -> void {
        for (int row = 0; row < model_.rowCount(parent); ++row) {
            const auto index = model_.index(row, 0, parent);
            shown.rows.push_back({model_.rowOf(index), level});
            if (isExpanded(index)) self(self, index, level + 1);
        }
    };
    add(add, {}, 0);
    return shown;
}

void GroupedTableView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("tableMenu"));
    for (auto* action : actions_->all()) {
        menu->addAction(action);
    }
    menu->popup(event->globalPos());
}

void GroupedTableView::showHeaderMenu(const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto layout = state_.layout();
    for (const auto column : offeredColumns(layout.table)) {
        const auto name = analysis::columnName(layout.table, column);
        const bool isShown =
            std::find(layout.columns.begin(), layout.columns.end(), LayoutColumn(column)) != layout.columns.end();
        auto* action = menu->addAction(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
        action->setCheckable(true);
        action->setChecked(isShown);
        connect(action, &QAction::toggled, this, [this, column](bool shown) {
            auto changed = state_.layout();
            if (shown)
                changed.columns.push_back(column);
            else
                std::erase(changed.columns, LayoutColumn(column));
            state_.setLayout(std::move(changed));
        });
    }
    menu->popup(header()->mapToGlobal(position));
}

void GroupedTableView::changeSort(int section, Qt::SortOrder order) {
    if (section < 0 || !model_.answer()) return;
    auto layout = state_.layout();
    if (layout.valueColumns() != model_.answer()->query().columns) return; // the answer on screen is to another layout
    const bool descending = order == Qt::DescendingOrder;
    layout.sort.clear();
    if (const auto column = model_.valueColumn(section))
        layout.sort.push_back({column->column, descending, column->aggregation});
    else if (const auto key = model_.keyColumn(section))
        layout.sort.push_back({*key, descending});
    else
        return;
    state_.setLayout(std::move(layout));
}

void GroupedTableView::showSort() {
    const auto& shown = model_.shownLayout();
    if (shown.sort.empty()) return;
    const auto& first = shown.sort.front();
    int section = -1;
    for (int i = 1; i < model_.columnCount(); ++i) {
        if (model_.valueColumn(i) == first.value() || model_.keyColumn(i) == first.column) section = i;
    }
    // The rows are sorted already: only the arrow follows.
    const QSignalBlocker blocker(header());
    header()->setSortIndicator(section, first.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

int GroupedTableView::naturalWidth(int section) const {
    constexpr int kArrowAndMargins = 34;
    constexpr int kMargins = 16;
    const auto title = fontMetrics().horizontalAdvance(model_.headerData(section, Qt::Horizontal).toString());
    if (section == 0) return fontMetrics().horizontalAdvance(QStringLiteral("99,999")) + 10;
    if (const auto value = model_.valueColumn(section)) {
        return std::max(title + kArrowAndMargins, fontMetrics().horizontalAdvance(widestSample(*value)) + kMargins);
    }
    const auto key = *model_.keyColumn(section);
    if (analysis::isStack(key)) return kMinimumStackWidth;
    return std::max(title + kArrowAndMargins,
                    fontMetrics().horizontalAdvance(widestKey(key)) + kMargins + 2 * PivotDelegate::kLevelWidth);
}

void GroupedTableView::fitColumns() {
    if (fitted_ == model_.shownLayout() || header()->count() != model_.columnCount()) return;
    fitted_ = model_.shownLayout();
    for (int section = 0; section < model_.columnCount(); ++section) {
        const auto place = placeOfSection(fitted_, section);
        int width = 0;
        if (place.kind == LayoutPlace::Kind::Key) width = fitted_.keys[place.index].width;
        if (place.kind == LayoutPlace::Kind::Value) width = fitted_.columns[place.index].width;
        header()->resizeSection(section, width > 0 ? width : naturalWidth(section));
    }
    fitKeyColumn();
}

/// The stack, else the last key, takes the room that the others leave, unless it was given a width.
void GroupedTableView::fitKeyColumn() {
    const auto& keys = model_.shownLayout().keys;
    if (keys.empty() || header()->count() != model_.columnCount()) return;
    auto widest =
        std::find_if(keys.begin(), keys.end(), [](const auto& k) { return analysis::isStack(k.value.column); });
    if (widest == keys.end()) widest = std::prev(keys.end());
    if (widest->width > 0) return;
    const auto section = 1 + static_cast<int>(widest - keys.begin());
    const auto others = header()->length() - header()->sectionSize(section);
    header()->resizeSection(section, std::max(naturalWidth(section), viewport()->width() - others));
}

void GroupedTableView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    fitKeyColumn();
}

} // namespace highwater::ui
