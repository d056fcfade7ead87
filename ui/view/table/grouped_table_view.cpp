#include "ui/view/table/grouped_table_view.h"

#include "core/export/csv_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/table/layout_edit.h"
#include "ui/view/notes/note_editor.h"
#include "ui/view/table/annotation_editor.h"
#include "ui/view/table/pivot_delegate.h"
#include "ui/view/table/pivot_header.h"
#include "ui/view/table/selection_keeper.h"
#include "ui/view/table/table_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater::ui {

using analysis::KeyPath;

namespace {

/// Row positions from the top, which define the screen order.
std::vector<int> positionOf(QModelIndex index) {
    std::vector<int> position;
    for (; index.isValid(); index = index.parent()) {
        position.insert(position.begin(), index.row());
    }
    return position;
}

} // namespace

GroupedTableView::GroupedTableView(GraphState& state, GroupedTableModel& model, QWidget* parent)
    : FrozenTreeView(new PivotHeader(state), parent),
      state_(state),
      model_(model),
      delegate_(new PivotDelegate(model, *this)) {
    build();
    rows_ = new SelectionKeeper(model_, *this);
    actions_ = new TableActions(state, *this);
    connectActions();
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
    setRootIsDecorated(false); // the delegate draws triangles in the key's column
    setIndentation(0);
    setExpandsOnDoubleClick(false);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTextElideMode(Qt::ElideMiddle);
    setFrameShape(QFrame::NoFrame);
    columns().setShownLayout([this] { return model_.shownLayout(); });
    setHeader(&columns());
    // Sections change only with an answer, which lays out all rows anyway; doing it twice takes twice as long.
    disconnect(header(), &QHeaderView::sectionCountChanged, this, nullptr);
    columns().setContents([this] { return contentWidths(); });
}

void GroupedTableView::connectModel() {
    connect(rows_, &SelectionKeeper::openWanted, this, &GroupedTableView::openWanted);
    connect(rows_, &SelectionKeeper::selectionChanged, this,
            [this] { state_.paintRows(rows_->selectedPaths(kMaxPaintedRows)); });
    connect(rows_, &SelectionKeeper::restored, this, &GroupedTableView::updatePaintedRows);
    connect(&state_.analysis(), &AnalysisState::wentInHistory, this, &GroupedTableView::paintSelection);
    connect(rows_, &SelectionKeeper::restored, this, [this] { refitColumns({}); });
    connect(this, &QTreeView::expanded, this, &GroupedTableView::refitColumns);
    connect(&model_, &QAbstractItemModel::dataChanged, this, [this](const auto&, const auto&, const QList<int>& roles) {
        if (roles.contains(Qt::DecorationRole)) refitColumns({}); // colour squares also need space
    });
    connect(&model_, &GroupedTableModel::rowsOpened, this, &GroupedTableView::refitColumns);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, actions_, &TableActions::refresh);
    connect(&columns(), &PivotHeader::geometryMoved, viewport(), qOverload<>(&QWidget::update));
    connect(&model_, &QAbstractItemModel::modelReset, actions_, &TableActions::refresh);
    connect(&model_, &QAbstractItemModel::headerDataChanged, actions_, &TableActions::refresh);
}

/// For visible keys; stacks take the spare width anyway.
std::vector<int> GroupedTableView::contentWidths() const {
    std::vector<int> widths(static_cast<std::size_t>(goldSection(model_.shownLayout())));
    for (const auto& index : rowsOnScreen()) {
        const auto section = static_cast<std::size_t>(model_.keySection(index));
        if (section >= widths.size() || analysis::isStack(model_.rowOf(index)->step.column)) continue;
        widths[section] = std::max(widths[section], delegate_->keyWidth(index, fontMetrics()));
    }
    return widths;
}

/// Runs once, later, for all rows that open together. Columns left of the opened row keep their position, so that the
/// triangle stays under the pointer.
void GroupedTableView::refitColumns(const QModelIndex& opened) {
    const int from = opened.isValid() ? model_.keySection(opened) : 1;
    const bool isAsked = std::exchange(refitFrom_, refitFrom_ > 0 ? std::min(refitFrom_, from) : from) > 0;
    if (isAsked) return;
    QMetaObject::invokeMethod(
        this, [this] { columns().refit(std::exchange(refitFrom_, 0)); }, Qt::QueuedConnection);
}

/// Adjusts painted rows to the selection. Remaining rows keep their order and thus their colours; rows painted by
/// others stay.
void GroupedTableView::updatePaintedRows() {
    auto painted = state_.paintedRows();
    if (!std::all_of(painted.begin(), painted.end(), [this](const auto& row) { return rows_->isWanted(row); })) return;
    const auto selected = rows_->selectedPaths(kMaxPaintedRows);
    const auto holds = [](const auto& rows, const auto& row) {
        return std::find(rows.begin(), rows.end(), row) != rows.end();
    };
    std::erase_if(painted, [&](const auto& row) { return !holds(selected, row); });
    std::copy_if(selected.begin(), selected.end(), std::back_inserter(painted),
                 [&](const auto& row) { return !holds(painted, row); });
    state_.paintRows(std::move(painted));
}

/// A page painted other rows with the filter or zoom that is now taken back.
void GroupedTableView::paintSelection() {
    const auto& painted = state_.paintedRows();
    auto wanted = rows_->wantedPaths();
    const auto isWanted = [this](const auto& row) { return rows_->isWanted(row); };
    if (wanted.empty() || std::all_of(painted.begin(), painted.end(), isWanted)) return;
    wanted.resize(std::min<std::size_t>(wanted.size(), kMaxPaintedRows));
    state_.paintRows(std::move(wanted));
}

void GroupedTableView::connectActions() {
    connect(actions_, &TableActions::filterWanted, this, &GroupedTableView::filterSelection);
    connect(actions_, &TableActions::hotPathWanted, this, &GroupedTableView::expandHotPath);
    connect(actions_, &TableActions::levelsWanted, this,
            [this](std::size_t levels) { emit expandWanted({.mode = OpenMode::Levels, .levels = levels}); });
    connect(actions_, &TableActions::collapseWanted, this, &GroupedTableView::collapseEverything);
    connect(actions_, &TableActions::turnWanted, this, &GroupedTableView::turnStack);
    connect(actions_, &TableActions::callersWanted, this, [this] { askForCallers(currentIndex().siblingAtColumn(0)); });
    connect(actions_, &TableActions::heapWanted, this, [this] {
        const auto row = currentIndex().data(GroupedTableModel::PathRole).value<analysis::KeyPath>();
        if (const auto heap = heapOf(row)) emit heapWanted(*heap);
    });
    connect(actions_, &TableActions::holdersWanted, this, &GroupedTableView::holdersWanted);
    connect(actions_, &TableActions::copyWanted, this, &GroupedTableView::copySelection);
    connect(actions_, &TableActions::annotateWanted, this, &GroupedTableView::annotateSelection);
    connect(actions_, &TableActions::noteWanted, this, &GroupedTableView::noteOnRow);
    connect(actions_, &TableActions::annotationsWanted, this, &GroupedTableView::editAnnotations);
    connect(&columns(), &PivotHeader::annotationsWanted, this, &GroupedTableView::editAnnotations);
}

std::vector<KeyPath> GroupedTableView::expandedPaths() const { return rows_->expandedPaths(); }

RowViewState GroupedTableView::rowViewState() const { return rows_->rowViewState(); }

std::uint64_t GroupedTableView::keptVersion() const { return rows_->version(); }

void GroupedTableView::renameRows(const RowViewState& kept) { rows_->rename(kept); }

void GroupedTableView::adoptRows(const RowViewState& kept) { rows_->adopt(kept); }

void GroupedTableView::setOld(bool isOld) {
    if (isOld == isOld_) return;
    isOld_ = isOld;
    setAccessibleDescription(isOld ? tr("Counting. The numbers are out of date.") : QString());
    viewport()->update();
}

void GroupedTableView::initViewItemOption(QStyleOptionViewItem* option) const {
    FrozenTreeView::initViewItemOption(option);
    if (!isOld_) return;
    for (const auto group : {QPalette::Active, QPalette::Inactive})
        option->palette.setColor(group, QPalette::Text, option->palette.color(group, QPalette::PlaceholderText));
}

void GroupedTableView::forgetRows() {
    rows_->forget();
    hasShownFrames_ = false;
    columns().forgetContents();
}

void GroupedTableView::reveal(const KeyPath& path) { rows_->reveal(path); }

KeyPath GroupedTableView::currentPath() const { return rows_->currentPath(); }

void GroupedTableView::showOpened(const ExpandRequest& expansion, const TableRow& row) {
    rows_->showOpened(expansion, row);
}

void GroupedTableView::collapseEverything() { rows_->collapseAll(); }

void GroupedTableView::turnStack() {
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

std::vector<analysis::LabelId> GroupedTableView::framesOnScreen() const {
    std::vector<analysis::LabelId> frames;
    for (const auto& index : rowsOnScreen()) {
        const auto step = model_.rowOf(index)->step;
        const analysis::LabelId label{static_cast<std::uint32_t>(step.key)};
        const bool isFrame =
            analysis::showsFrames(step.column) && label.value > analysis::FrameLabels::kNotResolved.value;
        if (isFrame && std::find(frames.begin(), frames.end(), label) == frames.end()) frames.push_back(label);
    }
    return frames;
}

/// Letters are commands here, and Find searches all rows.
void GroupedTableView::keyboardSearch(const QString& /*search*/) {}

// Painting

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
    columns().paintBars(painter, 0, viewport()->height());
    noteFrames();
    fetchPages();
}

/// Fetches missing rows when the user scrolls to them.
void GroupedTableView::fetchPages() {
    for (const auto& index : rowsOnScreen()) {
        if (!model_.wantsPage(index)) continue;
        QMetaObject::invokeMethod(
            this, [this, more = QPersistentModelIndex(index)] { model_.fetchPage(more); }, Qt::QueuedConnection);
    }
}

void GroupedTableView::noteFrames() {
    if (hasShownFrames_ || framesOnScreen().empty()) return;
    hasShownFrames_ = true;
    // Queued, because receivers do more work than painting allows.
    QMetaObject::invokeMethod(this, &GroupedTableView::framesShown, Qt::QueuedConnection);
}

// Mouse and keyboard

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
    if (!row.isValid()) return;
    const bool isFrame = analysis::isStack(model_.rowOf(row)->step.column);
    if (model_.hasChildren(row) && !(isFrame && model_.isLeaf(row)))
        toggle(row);
    else
        askForCallers(row);
}

void GroupedTableView::askForCallers(const QModelIndex& row) {
    const auto* shown = row.isValid() ? model_.rowOf(row) : nullptr;
    if (shown != nullptr && analysis::showsFrames(shown->step.column)) emit callersWanted(shown->text);
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

std::vector<const TableRow*> GroupedTableView::rowsTo(const QModelIndex& index) const {
    std::vector<const TableRow*> rows;
    for (auto at = index.siblingAtColumn(0); at.isValid(); at = at.parent())
        rows.insert(rows.begin(), model_.rowOf(at));
    return rows;
}

QString GroupedTableView::describe(const QModelIndex& index) const { return model_.describePath(rowsTo(index)); }

void GroupedTableView::editAnnotations() {
    if (!annotations_) {
        annotations_ = new AnnotationEditor(state_.table(), window());
        annotations_->setAttribute(Qt::WA_DeleteOnClose);
        annotations_->setRules(rulesOf(state_.layout().annotations));
        connect(annotations_, &AnnotationEditor::applied, this, &GroupedTableView::setAnnotations);
    }
    annotations_->show();
    annotations_->raise();
    annotations_->activateWindow();
}

void GroupedTableView::annotateSelection() {
    std::vector<std::vector<const TableRow*>> rows;
    for (const auto& row : selectedRowsInOrder())
        rows.push_back(rowsTo(row));
    if (rows.empty()) return;
    const auto proposed = proposedRule(state_.layout(), rows);
    editAnnotations();
    if (proposed.refusal.isEmpty())
        annotations_->addRule({{}, proposed.query}, proposed.place);
    else
        annotations_->say(proposed.refusal);
}

void GroupedTableView::noteOnRow() {
    const auto row = currentIndex();
    auto* notes = model_.notes();
    if (!notes || !row.isValid() || model_.isMore(row)) return;
    const auto path = model_.pathOf(row);
    auto* editor =
        new NoteEditor(*notes, {state_.table(), path, describe(row), notes->textOf(state_.table(), path)}, window());
    editor->open();
}

/// Shows new labels immediately.
void GroupedTableView::setAnnotations(const analysis::Annotations& annotations) {
    auto layout = state_.layout();
    layout.annotations = annotations;
    if (!annotations.empty() && !isShown(layout, analysis::Column::Annotation))
        layout = addColumn(layout, analysis::Column::Annotation, LayoutZone::Values).layout;
    state_.setLayout(std::move(layout));
}

void GroupedTableView::filterSelection(analysis::RowFilter::Clause::Mode mode) {
    const auto rows = selectedRowsInOrder();
    if (rows.isEmpty()) return;
    FilterStep step{.clause = {.mode = mode, .anyOf = {}}, .text = {}};
    step.scope = FilterScope::AllGraphs;
    for (const auto& row : rows) {
        step.clause.anyOf.push_back(model_.pathOf(row));
    }
    step.text = labelOf(step.clause, describe(rows.first()));
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
            const auto key =
                at.siblingAtColumn(model_.keySection(at)).data(GroupedTableModel::PlainTextRole).toString();
            cell = cell.isEmpty() ? key : key + QLatin1Char(exports::kFrameSeparator) + cell;
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
            if (model_.isMore(index)) continue;
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

} // namespace highwater::ui

#include "moc_grouped_table_view.cpp"
