#include "ui/view/row_keeper.h"

#include "ui/model/grouped_table_model.h"
#include "ui/view/grouped_table_view.h"

#include <QItemSelectionModel>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace highwater::ui {

using analysis::KeyPath;

RowKeeper::RowKeeper(GroupedTableModel& model, GroupedTableView& view) : QObject(&view), model_(model), view_(view) {
    connectSignals();
}

void RowKeeper::connectSignals() {
    connect(&view_, &QTreeView::expanded, this, &RowKeeper::noteExpanded);
    connect(&view_, &QTreeView::collapsed, this,
            [this](const QModelIndex& index) { expanded_.remove(model_.pathOf(index)); });
    connect(view_.selectionModel(), &QItemSelectionModel::selectionChanged, this, &RowKeeper::noteSelection);
    connect(&model_, &GroupedTableModel::openWanted, this, [this](auto node) { emit openWanted({.node = node}); });
    connect(&model_, &GroupedTableModel::rowsOpened, this, [this](const QModelIndex& index) {
        if (index.isValid() && view_.isExpanded(index)) expandChain(index);
        tryReveal();
    });
    connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this, &RowKeeper::remember);
    connect(&model_, &QAbstractItemModel::modelReset, this, &RowKeeper::restore);
}

std::vector<KeyPath> RowKeeper::expandedPaths() const {
    auto paths = expanded_.paths();
    if (revealed_) paths.emplace_back(revealed_->begin(), std::prev(revealed_->end()));
    return paths;
}

void RowKeeper::forget() {
    expanded_.clear();
    selected_.clear();
    current_.clear();
    revealed_.reset();
    view_.clearSelection();
    view_.setCurrentIndex({});
}

void RowKeeper::collapseAll() {
    expanded_.clear();
    view_.collapseAll();
}

std::vector<KeyPath> RowKeeper::selectedPaths(int limit) const {
    std::vector<KeyPath> paths;
    for (const auto& range : view_.selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom() && paths.size() < static_cast<std::size_t>(limit); ++row) {
            auto path = model_.pathOf(model_.index(row, 0, range.parent()));
            if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(std::move(path));
        }
    }
    return paths;
}

KeyPath RowKeeper::currentPath() const { return revealed_ ? *revealed_ : model_.pathOf(view_.currentIndex()); }

void RowKeeper::noteExpanded(const QModelIndex& index) {
    if (restoring_ || !model_.hasChildren(index)) return;
    expanded_.insert(model_.pathOf(index));
    if (expanding_) return;
    if (model_.canFetchMore(index))
        model_.fetchMore(index);
    else
        expandChain(index);
}

void RowKeeper::expandChain(QModelIndex index) {
    if (model_.rowCount(index) != 1) return;
    const QScopedValueRollback guard(expanding_, true);
    view_.layOutLater(); // once for the whole chain
    while (model_.rowCount(index) == 1) {
        index = model_.index(0, 0, index);
        if (model_.hasChildren(index)) view_.expand(index);
    }
    if (model_.canFetchMore(index) && view_.isExpanded(index)) model_.fetchMore(index);
}

void RowKeeper::noteSelection() {
    if (restoring_) return;
    revealed_.reset();
    emit selectionChanged();
}

void RowKeeper::remember() {
    restoring_ = true;
    scroll_ = view_.verticalScrollBar()->value();
    currentLine_ = view_.currentLine();
    if (model_.rowCount() == 0) return; // what was selected before the table was empty
    selected_ = KeyTree(selectedPaths(kMaxSelected));
    current_ = model_.pathOf(view_.currentIndex());
}

void RowKeeper::walk(const KeyTree& tree, const std::function<void(const QModelIndex&)>& found) const {
    if (tree.isEmpty()) return;
    const std::function<void(KeyTree::NodeId, const QModelIndex&)> visit = [&](KeyTree::NodeId at,
                                                                               const QModelIndex& parent) {
        for (int row = 0; tree.hasChildren(at) && row < model_.rowCount(parent); ++row) {
            const auto index = model_.index(row, 0, parent);
            const auto next = tree.child(at, model_.rowOf(index)->step);
            if (!next) continue;
            if (tree.isMember(*next)) found(index);
            visit(*next, index);
        }
    };
    visit(KeyTree::kRoot, {});
}

QItemSelection RowKeeper::selectionOf(const KeyTree& tree) const {
    QItemSelection selection;
    const auto last = model_.columnCount() - 1;
    walk(tree, [&](const QModelIndex& index) {
        auto first = index;
        if (!selection.isEmpty()) {
            // Neighbours become one range: a selection of many ranges is slow to draw.
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

void RowKeeper::restore() {
    const auto expanded = expanded_;
    walk(expanded, [this](const QModelIndex& index) { view_.expand(index); });
    view_.selectionModel()->select(selectionOf(selected_), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    if (const auto index = model_.indexOf(current_); !current_.empty() && index.isValid()) {
        view_.selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    }
    restoreScroll();
    restoring_ = false;
    tryReveal();
}

/// The current row stays where it was on screen; without one, the line on top does.
void RowKeeper::restoreScroll() {
    if (scroll_ == 0) return;
    view_.layOutNow();
    auto* bar = view_.verticalScrollBar();
    bar->setValue(scroll_);
    const auto line = view_.currentLine();
    if (line && currentLine_ && *line != *currentLine_) bar->setValue(bar->value() + *line - *currentLine_);
}

void RowKeeper::reveal(const KeyPath& path) {
    if (path.empty()) return;
    revealed_ = path;
    askedIn_ = nullptr;
    tryReveal();
}

void RowKeeper::tryReveal() {
    if (!revealed_ || !model_.answer() || restoring_) return;
    const auto index = model_.indexOf(*revealed_);
    if (index.isValid()) return select(index);
    const auto* answer = model_.answer().get();
    if (std::exchange(askedIn_, answer) == answer) return; // it is not in this answer, or on its way
    emit openWanted({.mode = OpenMode::AlongPath, .path = *revealed_});
}

void RowKeeper::select(const QModelIndex& index) {
    {
        const QScopedValueRollback guard(expanding_, true);
        view_.layOutLater();
        for (auto at = index.parent(); at.isValid(); at = at.parent()) {
            view_.expand(at);
        }
    }
    revealed_.reset();
    view_.setCurrentIndex(index);
    view_.scrollTo(index);
}

void RowKeeper::showOpened(const OpenWish& wish, const TableRow& row) {
    if (wish.mode == OpenMode::HotPath) expandHotPath(row);
    if (wish.mode == OpenMode::Levels) {
        const QScopedValueRollback guard(expanding_, true);
        if (wish.levels != OpenWish::kAllLevels) collapseAll();
        view_.layOutLater();
        expandBelow(model_.indexOfNode(row.node), wish.levels);
    }
}

void RowKeeper::expandHotPath(const TableRow& from) {
    auto index = model_.indexOfNode(from.node);
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
    view_.setCurrentIndex(index);
    view_.scrollTo(index);
}

void RowKeeper::expandBelow(const QModelIndex& index, std::size_t levels) {
    if (index.isValid()) {
        const bool isAbove = static_cast<std::size_t>(model_.keySection(index)) < levels;
        if (!isAbove || !model_.rowOf(index)->isOpen || model_.rowCount(index) == 0) return;
        view_.expand(index);
    }
    for (int row = 0; row < model_.rowCount(index); ++row) {
        expandBelow(model_.index(row, 0, index), levels);
    }
}

} // namespace highwater::ui
