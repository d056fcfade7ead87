#include "ui/view/table/selection_keeper.h"

#include "ui/model/grouped_table_model.h"
#include "ui/view/table/frozen_tree_view.h"

#include <QItemSelectionModel>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace highwater::ui {

using analysis::KeyPath;

namespace {

/// Path of the expansion from the root.
KeyPath hotPathOf(const TableRow& root) {
    KeyPath path;
    for (const auto* row = &root;;) {
        const auto next = std::find_if(row->rows.begin(), row->rows.end(), [](const auto& r) { return r.isHot; });
        if (next == row->rows.end()) return path;
        row = &*next;
        path.push_back(row->step);
    }
}

QModelIndex outermostOf(QModelIndex index, const QModelIndex& until = {}) {
    while (index.parent().isValid() && index != until)
        index = index.parent();
    return index;
}

} // namespace

SelectionKeeper::SelectionKeeper(GroupedTableModel& model, FrozenTreeView& view)
    : QObject(&view), model_(model), view_(view) {
    connectSignals();
}

void SelectionKeeper::connectSignals() {
    connect(&view_, &QTreeView::expanded, this, &SelectionKeeper::noteExpanded);
    connect(&view_, &QTreeView::collapsed, this, &SelectionKeeper::noteCollapsed);
    connect(view_.selectionModel(), &QItemSelectionModel::selectionChanged, this, &SelectionKeeper::noteSelection);
    connect(view_.selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (restoring_) return;
        ++version_;
        current_ = model_.pathOf(view_.currentIndex());
    });
    connect(&model_, &GroupedTableModel::openWanted, this, &SelectionKeeper::askToOpen);
    connect(&model_, &GroupedTableModel::pageWanted, this, [this](auto leaf, std::size_t first) {
        emit openWanted({.node = leaf, .mode = OpenMode::Page, .first = first});
    });
    connect(&model_, &GroupedTableModel::rowsOpened, this, [this](const QModelIndex& index) {
        if (model_.isLeaf(index)) return noteLeaf(index);
        opening_.remove(model_.pathOf(index));
        if (index.isValid() && view_.isExpanded(index)) expandChain(index);
        tryReveal();
    });
    // Before the view processes the signal and loses the positions of its rows.
    connect(&model_, &GroupedTableModel::aboutToReplace, this, &SelectionKeeper::remember);
    connect(&model_, &QAbstractItemModel::modelReset, this, &SelectionKeeper::restore);
}

std::vector<KeyPath> SelectionKeeper::expandedPaths() const {
    auto paths = expanded_.paths();
    if (revealed_) paths.emplace_back(revealed_->begin(), std::prev(revealed_->end()));
    return paths;
}

RowViewState SelectionKeeper::rowViewState() const {
    const auto pathsOf = [](const KeyPath& path) {
        return path.empty() ? std::vector<KeyPath>{} : std::vector<KeyPath>{path};
    };
    RowViewState kept;
    kept.version = version_;
    kept.expanded = expandedPaths();
    kept.opening = opening_.paths();
    kept.leafRows = leafRows_;
    kept.selected = selected_.paths();
    kept.current = pathsOf(current_);
    if (revealed_) kept.revealed = {*revealed_};
    askedTop_ = model_.pathOf(view_.topRow());
    kept.top = pathsOf(askedTop_);
    return kept;
}

void SelectionKeeper::forget() {
    ++version_;
    for (auto* tree : {&expanded_, &collapsed_, &opening_, &selected_}) {
        tree->clear();
    }
    leafRows_ = 0;
    current_.clear();
    revealed_.reset();
    view_.clearSelection();
    view_.setCurrentIndex({});
}

void SelectionKeeper::adopt(const RowViewState& kept) {
    ++version_;
    expanded_ = KeyTree(kept.expanded);
    selected_ = KeyTree(kept.selected);
    leafRows_ = kept.leafRows;
    if (!kept.current.empty()) current_ = kept.current.front();
}

void SelectionKeeper::collapseAll() {
    ++version_;
    expanded_.clear();
    opening_.clear();
    view_.collapseAll();
    leaveRowsBelow(outermostOf(view_.currentIndex()));
}

std::vector<KeyPath> SelectionKeeper::selectedPaths(int limit) const {
    KeyTree paths; // a row may be in several ranges
    for (const auto& range : view_.selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom() && paths.size() < static_cast<std::size_t>(limit); ++row) {
            paths.insert(model_.pathOf(model_.index(row, 0, range.parent())));
        }
    }
    return paths.paths();
}

KeyPath SelectionKeeper::currentPath() const { return revealed_ ? *revealed_ : model_.pathOf(view_.currentIndex()); }

void SelectionKeeper::noteExpanded(const QModelIndex& index) {
    if (restoring_ || !model_.hasChildren(index)) return;
    ++version_;
    const auto path = model_.pathOf(index);
    expanded_.insert(path);
    collapsed_.remove(path);
    if (expanding_) return;
    if (model_.canOpen(index))
        model_.open(index);
    else
        expandChain(index);
}

/// The next answer also needs that many of its rows.
void SelectionKeeper::noteLeaf(const QModelIndex& leaf) {
    const auto rows = static_cast<std::size_t>(model_.rowCount(leaf));
    if (rows > leafRows_) ++version_;
    leafRows_ = std::max(leafRows_, rows);
    opening_.remove(model_.pathOf(leaf));
    tryReveal();
}

void SelectionKeeper::noteCollapsed(const QModelIndex& index) {
    ++version_;
    const auto path = model_.pathOf(index);
    expanded_.remove(path);
    opening_.remove(path);
    collapsed_.insert(path);
    if (!restoring_) leaveRowsBelow(index);
}

/// A selected row must remain visible, because commands and pages apply to it.
void SelectionKeeper::leaveRowsBelow(const QModelIndex& index) {
    for (auto at = view_.currentIndex().parent(); at.isValid(); at = at.parent())
        if (at == index) return goTo(index);
}

void SelectionKeeper::askToOpen(analysis::GroupedTable::NodeId node) {
    ++version_;
    opening_.insert(model_.pathOf(model_.indexOfNode(node)));
    emit openWanted({.node = node});
}

void SelectionKeeper::expandChain(QModelIndex index) {
    if (model_.rowCount(index) != 1) return;
    const QScopedValueRollback guard(expanding_, true);
    view_.layOutLater(); // once for the whole chain
    while (model_.rowCount(index) == 1) {
        index = model_.index(0, 0, index);
        if (model_.hasChildren(index) && !model_.isLeaf(index)) view_.expand(index);
    }
    if (model_.canOpen(index) && view_.isExpanded(index)) model_.open(index);
}

void SelectionKeeper::noteSelection() {
    if (restoring_) return;
    ++version_;
    revealed_.reset();
    selected_ = KeyTree(selectedPaths(kMaxSelected));
    emit selectionChanged();
}

void SelectionKeeper::remember() {
    restoring_ = true;
    const auto current = view_.currentIndex();
    scroll_ = view_.verticalScrollBar()->value();
    order_ = model_.answer() ? model_.answer()->query().sort : std::vector<analysis::SortKey>();
    currentLine_ = view_.isOnScreen(current) ? std::optional(view_.lineOf(current)) : std::nullopt;
    top_ = model_.pathOf(view_.topRow());
    if (renamed_) takeNames();
}

void SelectionKeeper::takeNames() {
    const auto firstOf = [](const std::vector<KeyPath>& paths) { return paths.empty() ? KeyPath() : paths.front(); };
    expanded_ = KeyTree(renamed_->expanded);
    opening_ = KeyTree(renamed_->opening);
    selected_ = KeyTree(renamed_->selected);
    current_ = firstOf(renamed_->current);
    if (revealed_ && !renamed_->revealed.empty()) revealed_ = renamed_->revealed.front();
    if (top_ == askedTop_) top_ = firstOf(renamed_->top);
}

void SelectionKeeper::walk(const KeyTree& tree, const std::function<void(const QModelIndex&)>& found) const {
    if (tree.isEmpty()) return;
    const std::function<void(KeyTree::NodeId, const QModelIndex&)> visit = [&](KeyTree::NodeId at,
                                                                               const QModelIndex& parent) {
        auto missing = tree.childCount(at);
        const auto rows = missing > 0 ? model_.rowCount(parent) : 0;
        for (int row = 0; missing > 0 && row < rows; ++row) {
            const auto next = tree.child(at, model_.stepAt(row, parent));
            if (!next) continue;
            --missing;
            const auto index = model_.index(row, 0, parent);
            if (tree.isMember(*next)) found(index);
            visit(*next, index);
        }
    };
    visit(KeyTree::kRoot, {});
}

QItemSelection SelectionKeeper::selectionOf(const KeyTree& tree) const {
    QItemSelection selection;
    const auto last = model_.columnCount() - 1;
    walk(tree, [&](const QModelIndex& index) {
        auto first = index;
        if (!selection.isEmpty()) {
            // Merges adjacent ranges, because a selection of many ranges is slow to draw.
            const auto& before = selection.back();
            if (before.parent() == index.parent() && before.bottom() + 1 == index.row()) {
                first = model_.index(before.top(), 0, index.parent());
                selection.pop_back();
            }
        }
        selection.append(QItemSelectionRange(first, index.siblingAtColumn(last)));
    });
    return selection;
}

void SelectionKeeper::restore() {
    const bool isRenamed = renamed_.has_value();
    renamed_.reset();
    const auto expanded = expanded_;
    walk(expanded, [&](const QModelIndex& index) {
        view_.expand(index);
        if (model_.canOpen(index) || (!isRenamed && isChainBroken(index))) opening_.insert(model_.pathOf(index));
    });
    view_.selectionModel()->select(selectionOf(selected_), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    if (const auto index = model_.indexOf(current_); !current_.empty() && index.isValid()) {
        view_.selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    }
    restoreScroll(isRenamed);
    restoring_ = false;
    noteAncestorsOfCurrent();
    emit restored();
    resumeOpening();
    tryReveal();
}

/// The view opens the ancestors of its current row by itself.
void SelectionKeeper::noteAncestorsOfCurrent() {
    for (auto at = view_.currentIndex().parent(); at.isValid(); at = at.parent()) {
        if (view_.isExpanded(at)) expanded_.insert(model_.pathOf(at));
    }
}

/// A row that was one of several is now the only one, so the chain above continues through it.
bool SelectionKeeper::isChainBroken(const QModelIndex& index) const {
    if (model_.rowCount(index) != 1) return false;
    const auto next = model_.index(0, 0, index);
    if (!model_.hasChildren(next) || model_.isLeaf(next)) return false;
    const auto path = model_.pathOf(next);
    return !expanded_.contains(path) && !collapsed_.contains(path);
}

/// Keeps the current row, or the top line if there is none, at its screen position. Function names merge and split
/// rows, but do not move the row that the user is viewing, as far as possible. After sorting, the view shows the top.
void SelectionKeeper::restoreScroll(bool isRenamed) {
    if (scroll_ == 0 && !isRenamed) return;
    if (model_.answer() && model_.answer()->query().sort != order_) return view_.scrollToTop();
    view_.layOutNow();
    auto* bar = view_.verticalScrollBar();
    bar->setValue(scroll_);
    const auto current = view_.currentIndex();
    const auto top = model_.indexOf(top_);
    if (currentLine_ && current.isValid() && (isRenamed || view_.isOnScreen(current)))
        bar->setValue(bar->value() + view_.lineOf(current) - *currentLine_);
    else if (isRenamed && scroll_ > 0 && !top_.empty() && top.isValid())
        bar->setValue(bar->value() + view_.lineOf(top));
}

/// The previous answer is gone, and with it its pending rows.
void SelectionKeeper::resumeOpening() {
    const auto opening = std::exchange(opening_, {});
    std::vector<QModelIndex> rows;
    walk(opening, [&](const QModelIndex& index) {
        if (view_.isExpanded(index)) rows.push_back(index);
    });
    for (const auto& index : rows) {
        if (model_.canOpen(index))
            model_.open(index);
        else
            expandChain(index);
    }
}

void SelectionKeeper::reveal(const KeyPath& path) {
    if (path.empty()) return;
    ++version_;
    revealed_ = path;
    askedIn_ = nullptr;
    tryReveal();
}

void SelectionKeeper::tryReveal() {
    if (!revealed_ || !model_.answer() || restoring_) return;
    const auto index = model_.indexOf(*revealed_);
    if (index.isValid()) return select(index);
    const auto* answer = model_.answer().get();
    if (std::exchange(askedIn_, answer) == answer) return; // not in this answer, or pending
    emit openWanted({.mode = OpenMode::AlongPath, .path = *revealed_});
}

/// Not view_.setCurrentIndex(), because it treats the Ctrl of Ctrl+Right, still held when the answer arrives, as an
/// extension of the selection.
void SelectionKeeper::goTo(const QModelIndex& index) {
    view_.selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    view_.scrollTo(index);
}

void SelectionKeeper::select(const QModelIndex& index) {
    {
        const QScopedValueRollback guard(expanding_, true);
        view_.layOutLater();
        for (auto at = index.parent(); at.isValid(); at = at.parent()) {
            view_.expand(at);
        }
    }
    revealed_.reset();
    if (!view_.isExpanded(index)) collapsed_.insert(model_.pathOf(index)); // stops here
    if (!view_.isOnScreen(index)) view_.scrollTo(outermostOf(index));      // stays if they fit together
    goTo(index);
}

void SelectionKeeper::showOpened(const ExpandRequest& expansion, const TableRow& row) {
    if (expansion.mode == OpenMode::HotPath) expandHotPath(row, expansion.selects);
    if (expansion.mode == OpenMode::AlongPath && revealed_ == expansion.path) {
        revealed_ = hotPathOf(row);
        if (revealed_->empty()) revealed_ = expansion.path; // the next answer may contain it
        tryReveal();
    }
    if (expansion.mode == OpenMode::Levels) {
        const QScopedValueRollback guard(expanding_, true);
        if (expansion.levels != ExpandRequest::kAllLevels) collapseAll();
        view_.layOutLater();
        expandBelow(model_.indexOfNode(row.node), expansion.levels);
    }
}

void SelectionKeeper::expandHotPath(const TableRow& from, bool selects) {
    const auto start = model_.indexOfNode(from.node);
    auto index = start;
    {
        const QScopedValueRollback guard(expanding_, true);
        view_.layOutLater();
        for (const auto* row = &from;;) {
            if (index.isValid() && !row->rows.empty()) view_.expand(index);
            const auto next = std::find_if(row->rows.begin(), row->rows.end(), [](const auto& r) { return r.isHot; });
            if (next == row->rows.end()) break;
            index = model_.index(static_cast<int>(next - row->rows.begin()), 0, index);
            row = &*next;
        }
    }
    if (!index.isValid()) return;
    if (!view_.isExpanded(index)) collapsed_.insert(model_.pathOf(index)); // so far and no further
    const auto first = outermostOf(index, start);
    view_.scrollTo(selects ? first : index);
    selects ? goTo(index) : view_.scrollTo(first); // a path that does not fit: its end, or if not selected, its start
}

void SelectionKeeper::expandBelow(const QModelIndex& index, std::size_t levels) {
    if (index.isValid()) {
        const bool isAbove = static_cast<std::size_t>(model_.keySection(index)) < levels;
        if (!isAbove) collapsed_.insert(model_.pathOf(index)); // stops here
        if (!isAbove || !model_.rowOf(index)->isOpen || model_.rowCount(index) == 0) return;
        view_.expand(index);
    }
    for (int row = 0; row < model_.rowCount(index); ++row) {
        expandBelow(model_.index(row, 0, index), levels);
    }
}

} // namespace highwater::ui

#include "moc_selection_keeper.cpp"
