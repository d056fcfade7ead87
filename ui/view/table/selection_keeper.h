#pragma once

#include "ui/state/table/key_tree.h"
#include "ui/state/table/row_view_state.h"
#include "ui/state/table/table_answer.h"

#include <QModelIndex>
#include <QObject>

#include <functional>
#include <optional>
#include <vector>

class QItemSelection;

namespace highwater::ui {

class GroupedTableModel;
class FrozenTreeView;

/// Knows which rows of a table are open, selected and current, by their keys: keeps them so when the answer is
/// replaced, and when they vanish and come back later. Also brings rows on screen that are not there yet. GUI thread
/// only.
class SelectionKeeper : public QObject {
    Q_OBJECT
  public:
    /// Larger selections are not carried over to the next answer.
    static constexpr int kMaxSelected = 10'000;

    SelectionKeeper(GroupedTableModel& model, FrozenTreeView& view);

    /// What the reader has open, or is about to see.
    [[nodiscard]] std::vector<analysis::KeyPath> expandedPaths() const;
    /// The same and all else that is to be found in the next answer, for the next question.
    [[nodiscard]] RowViewState rowViewState() const;
    /// A version of the kept rows: another number, other rows.
    [[nodiscard]] std::uint64_t version() const { return version_; }
    /// The next answer calls them so.
    void rename(const RowViewState& kept) { renamed_ = kept; }
    void forget();
    /// Of another table that showed the same: open, selected and current in the next answer.
    void adopt(const RowViewState& kept);
    void collapseAll();
    /// Those that are there.
    [[nodiscard]] std::vector<analysis::KeyPath> selectedPaths(int limit) const;
    /// Selected by the reader, whether or not it is there now.
    [[nodiscard]] bool isWanted(const analysis::KeyPath& path) const { return selected_.contains(path); }

    /// Opens the way to a row, selects it and scrolls to it, as soon as it is there; given up when the reader selects
    /// something else.
    void reveal(const analysis::KeyPath& path);
    [[nodiscard]] bool isRevealing() const { return revealed_.has_value(); }
    /// The path of the current row, or of the one that is about to be revealed; empty: none.
    [[nodiscard]] analysis::KeyPath currentPath() const;
    /// After the model took in what was opened: shows it.
    void showOpened(const ExpandRequest& expansion, const TableRow& row);

  signals:
    void openWanted(const highwater::ui::ExpandRequest& expansion);
    /// By the reader, not by a new answer.
    void selectionChanged();
    /// A new answer has come, and what of the selection is in it is selected.
    void restored();

  private:
    void connectSignals();
    void noteExpanded(const QModelIndex& index);
    void noteLeaf(const QModelIndex& leaf);
    void noteCollapsed(const QModelIndex& index);
    void noteSelection();
    void remember();
    void takeNames();
    void noteWayToCurrent();
    void restore();
    void restoreScroll(bool isRenamed);
    void goOnOpening();
    [[nodiscard]] bool isChainCut(const QModelIndex& index) const;
    void askToOpen(analysis::GroupedTable::NodeId node);
    /// Calls `found` for every row of the model that is in the tree, from the top.
    void walk(const KeyTree& tree, const std::function<void(const QModelIndex&)>& found) const;
    [[nodiscard]] QItemSelection selectionOf(const KeyTree& tree) const;
    /// A chain of single children opens in one go, as far as it is there.
    void expandChain(QModelIndex index);
    void expandHotPath(const TableRow& from, bool selects);
    void expandBelow(const QModelIndex& index, std::size_t levels);
    void tryReveal();
    void goTo(const QModelIndex& index);
    void select(const QModelIndex& index);

    GroupedTableModel& model_;
    FrozenTreeView& view_;
    std::uint64_t version_ = 1;
    KeyTree expanded_;
    KeyTree collapsed_; ///< by the reader
    KeyTree opening_;   ///< rows are on their way
    KeyTree selected_;
    std::size_t leafRows_ = 0; ///< the most that were looked at below one leaf
    analysis::KeyPath current_;
    std::optional<analysis::KeyPath> revealed_; ///< still to be shown
    const TableAnswer* askedIn_ = nullptr;      ///< the answer that was asked to open the way to it; only compared
    std::optional<RowViewState> renamed_;       ///< by the next answer
    std::vector<analysis::SortKey> order_;      ///< of the rows before
    int scroll_ = 0;
    std::optional<int> currentLine_;     ///< of the current row, counted from the top of the viewport
    analysis::KeyPath top_;              ///< the row on top of the viewport
    mutable analysis::KeyPath askedTop_; ///< the same when the question was asked
    bool restoring_ = false;
    bool expanding_ = false;
};

} // namespace highwater::ui
