#include "ui/view/grouped_table_view.h"

#include "ui/model/grouped_table_model.h"
#include "ui/view/table_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>

namespace highwater::ui {

using analysis::Column;
using analysis::KeyPath;

namespace {

constexpr int kIndentation = 14;
constexpr int kMinimumKeyWidth = 260;

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

} // namespace

GroupedTableView::GroupedTableView(GraphState& state, GroupedTableModel& model, QWidget* parent)
    : QTreeView(parent), state_(state), model_(model), actions_(new TableActions(state, *this)) {
    build();
    connectModel();
}

void GroupedTableView::build() {
    setObjectName(QStringLiteral("table"));
    setAccessibleName(tr("Table"));
    setModel(&model_);
    setUniformRowHeights(true);
    setIconSize({11, 11}); // the colour of a process
    setAlternatingRowColors(true);
    setIndentation(kIndentation);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTextElideMode(Qt::ElideMiddle);
    setFrameShape(QFrame::NoFrame);
    header()->setStretchLastSection(false);
    header()->setSortIndicator(-1, Qt::DescendingOrder);
    setSortingEnabled(true);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    actions_->refresh();
}

void GroupedTableView::connectModel() {
    connect(this, &QTreeView::expanded, this, &GroupedTableView::noteExpanded);
    connect(this, &QTreeView::collapsed, this, &GroupedTableView::noteCollapsed);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, actions_, &TableActions::refresh);
    connect(header(), &QWidget::customContextMenuRequested, this, &GroupedTableView::showHeaderMenu);
    connect(&model_, &GroupedTableModel::sortWanted, this, &GroupedTableView::changeSort);
    connect(&model_, &GroupedTableModel::openWanted, this,
            [this](auto node) { emit openWanted(node, OpenMode::ToNextFork); });
    connect(&model_, &GroupedTableModel::rowsOpened, this, [this](const QModelIndex& index) {
        if (index.isValid() && isExpanded(index)) openOnlyChild(index);
    });
    connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this, &GroupedTableView::rememberRows);
    connect(&model_, &QAbstractItemModel::modelReset, this, &GroupedTableView::restoreRows);
}

void GroupedTableView::forgetRows() {
    expanded_.clear();
    selected_.clear();
    current_.clear();
    clearSelection();
    setCurrentIndex({});
}

void GroupedTableView::noteExpanded(const QModelIndex& index) {
    const auto path = model_.pathOf(index);
    if (std::find(expanded_.begin(), expanded_.end(), path) == expanded_.end()) expanded_.push_back(path);
    if (!restoring_) openOnlyChild(index);
}

void GroupedTableView::noteCollapsed(const QModelIndex& index) { std::erase(expanded_, model_.pathOf(index)); }

/// A chain of single children opens in one go, as far as it is there.
void GroupedTableView::openOnlyChild(const QModelIndex& index) {
    if (model_.rowCount(index) != 1) return;
    const auto child = model_.index(0, 0, index);
    if (model_.hasChildren(child)) expand(child);
}

void GroupedTableView::rememberRows() {
    restoring_ = true;
    scroll_ = verticalScrollBar()->value();
    if (model_.rowCount() == 0) return; // what was selected before the table was empty
    selected_.clear();
    for (const auto& index : selectedKeyIndexes()) {
        selected_.push_back(model_.pathOf(index));
    }
    current_ = model_.pathOf(currentIndex());
}

void GroupedTableView::restoreRows() {
    const auto paths = expanded_;
    for (const auto& path : paths) {
        if (const auto index = model_.indexOf(path); index.isValid()) setExpanded(index, true);
    }
    for (const auto& path : selected_) {
        const auto index = model_.indexOf(path);
        if (index.isValid()) selectionModel()->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    if (const auto index = model_.indexOf(current_); !current_.empty() && index.isValid()) {
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    }
    restoring_ = false;
    fitColumns();
    showSort();
    verticalScrollBar()->setValue(scroll_);
    actions_->refresh();
}

void GroupedTableView::revealHotPath(const TableRow& from) {
    const auto* row = &from;
    QModelIndex leaf;
    while (row) {
        leaf = model_.indexOfNode(row->node);
        if (leaf.isValid() && !row->rows.empty()) expand(leaf);
        const auto next =
            std::find_if(row->rows.begin(), row->rows.end(), [](const auto& child) { return child.isHot; });
        row = next == row->rows.end() ? nullptr : &*next;
    }
    if (!leaf.isValid()) return;
    setCurrentIndex(leaf);
    scrollTo(leaf);
}

void GroupedTableView::expandHotPath() {
    emit openWanted(currentIndex().isValid() ? model_.nodeOf(currentIndex()) : analysis::GroupedTable::kRoot,
                    OpenMode::HotPath);
}

QModelIndexList GroupedTableView::selectedKeyIndexes() const { return selectionModel()->selectedRows(0); }

QString GroupedTableView::describe(const QModelIndex& index) const {
    QStringList parts;
    for (auto at = index.siblingAtColumn(0); at.isValid(); at = at.parent()) {
        const auto path = model_.pathOf(at);
        const bool isInnerFrame = path.size() != model_.pathOf(index).size() && analysis::isStack(path.back().column);
        if (!isInnerFrame) parts.prepend(model_.describeKey(at));
    }
    return parts.join(QStringLiteral(" › "));
}

void GroupedTableView::filterSelection(analysis::RowFilter::Clause::Mode mode) {
    const auto rows = selectedKeyIndexes();
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
    QStringList lines;
    QStringList cells;
    for (int column = 0; column < model_.columnCount(); ++column) {
        cells << model_.headerData(column, Qt::Horizontal).toString();
    }
    lines << cells.join(QLatin1Char('\t'));
    auto rows = selectedKeyIndexes();
    std::sort(rows.begin(), rows.end(),
              [this](const auto& a, const auto& b) { return visualRect(a).top() < visualRect(b).top(); });
    for (const auto& row : rows) {
        QStringList path;
        for (auto at = row; at.isValid(); at = at.parent()) {
            path.prepend(at.data().toString());
        }
        cells = {path.join(QStringLiteral(" > "))};
        for (int column = 1; column < model_.columnCount(); ++column) {
            cells << row.siblingAtColumn(column).data(GroupedTableModel::PlainTextRole).toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void GroupedTableView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("tableMenu"));
    menu->addActions(actions_->all());
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
    else
        for (const auto key : layout.keys) {
            layout.sort.push_back({key.value.column, descending});
        }
    state_.setLayout(std::move(layout));
}

void GroupedTableView::showSort() {
    if (!model_.answer() || model_.answer()->query().sort.empty()) return;
    const auto& query = model_.answer()->query();
    const auto& first = query.sort.front();
    const auto found = std::find(query.columns.begin(), query.columns.end(), first.value());
    const auto section = found == query.columns.end() ? 0 : static_cast<int>(found - query.columns.begin()) + 1;
    // The rows are sorted already: only the arrow follows.
    const QSignalBlocker blocker(header());
    header()->setSortIndicator(section, first.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void GroupedTableView::fitColumns() {
    if (!model_.answer() || fitted_ == model_.answer()->query().columns) return;
    fitted_ = model_.answer()->query().columns;
    constexpr int kArrowAndMargins = 34;
    for (int section = 1; section < model_.columnCount(); ++section) {
        const auto title = model_.headerData(section, Qt::Horizontal).toString();
        const auto widest = std::max(fontMetrics().horizontalAdvance(title) + kArrowAndMargins,
                                     fontMetrics().horizontalAdvance(widestSample(*model_.valueColumn(section))) + 16);
        header()->resizeSection(section, widest);
    }
    fitKeyColumn();
}

void GroupedTableView::fitKeyColumn() {
    int others = 0;
    for (int section = 1; section < model_.columnCount(); ++section) {
        others += header()->sectionSize(section);
    }
    if (model_.columnCount() > 1) header()->resizeSection(0, std::max(kMinimumKeyWidth, viewport()->width() - others));
}

void GroupedTableView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    fitKeyColumn();
}

} // namespace highwater::ui
