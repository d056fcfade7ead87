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

/// Tracks the open, selected and current rows of a table by key: preserves them when the answer is replaced, and when
/// they disappear and return. Also scrolls to rows that are not loaded yet. GUI thread only.
class SelectionKeeper : public QObject {
    Q_OBJECT
  public:
    /// Larger selections are not carried over to the next answer.
    static constexpr int kMaxSelected = 10'000;

    SelectionKeeper(GroupedTableModel& model, FrozenTreeView& view);

    /// Rows that the user has opened or that are to be revealed.
    [[nodiscard]] std::vector<analysis::KeyPath> expandedPaths() const;
    /// These and all other rows to find in the next answer, for the next query.
    [[nodiscard]] RowViewState rowViewState() const;
    /// Version of the tracked rows: another number means other rows.
    [[nodiscard]] std::uint64_t version() const { return version_; }
    /// Names of the rows in the next answer.
    void rename(const RowViewState& kept) { renamed_ = kept; }
    void forget();
    /// Open, selected and current rows of another table with the same contents, for the next answer.
    void adopt(const RowViewState& kept);
    void collapseAll();
    /// Only existing rows.
    [[nodiscard]] std::vector<analysis::KeyPath> selectedPaths(int limit) const;
    /// The rows that the user selected, existing or not.
    [[nodiscard]] std::vector<analysis::KeyPath> wantedPaths() const { return selected_.paths(); }
    /// Whether the user selected the row, existing or not.
    [[nodiscard]] bool isWanted(const analysis::KeyPath& path) const { return selected_.contains(path); }

    /// Opens the ancestors of a row, selects it and scrolls to it as soon as it exists; cancelled when the user selects
    /// something else.
    void reveal(const analysis::KeyPath& path);
    [[nodiscard]] bool isRevealing() const { return revealed_.has_value(); }
    /// Path of the current row, or of the one to be revealed; empty: none.
    [[nodiscard]] analysis::KeyPath currentPath() const;
    /// Shows opened rows after the model has inserted them.
    void showOpened(const ExpandRequest& expansion, const TableRow& row);

  signals:
    void openWanted(const highwater::ui::ExpandRequest& expansion);
    /// By the user, not by a new answer.
    void selectionChanged();
    /// A new answer has arrived, and the part of the selection that it contains is selected.
    void restored();

  private:
    void connectSignals();
    void noteExpanded(const QModelIndex& index);
    void noteLeaf(const QModelIndex& leaf);
    void noteCollapsed(const QModelIndex& index);
    void noteSelection();
    void remember();
    void takeNames();
    void noteAncestorsOfCurrent();
    void restore();
    void restoreScroll(bool isRenamed);
    void resumeOpening();
    [[nodiscard]] bool isChainBroken(const QModelIndex& index) const;
    void askToOpen(analysis::GroupedTable::NodeId node);
    /// Calls `found` for every model row in the tree, from the top.
    void walk(const KeyTree& tree, const std::function<void(const QModelIndex&)>& found) const;
    [[nodiscard]] QItemSelection selectionOf(const KeyTree& tree) const;
    /// Opens the loaded part of a chain of single children at once.
    void expandChain(QModelIndex index);
    void expandHotPath(const TableRow& from, bool selects);
    void expandBelow(const QModelIndex& index, std::size_t levels);
    void tryReveal();
    void goTo(const QModelIndex& index);
    void leaveRowsBelow(const QModelIndex& index);
    void select(const QModelIndex& index);

    GroupedTableModel& model_;
    FrozenTreeView& view_;
    std::uint64_t version_ = 1;
    KeyTree expanded_;
    KeyTree collapsed_; ///< by the user
    KeyTree opening_;   ///< rows are pending
    KeyTree selected_;
    std::size_t leafRows_ = 0; ///< maximum number of rows viewed below a leaf
    analysis::KeyPath current_;
    std::optional<analysis::KeyPath> revealed_; ///< still to be shown
    const TableAnswer* askedIn_ = nullptr;      ///< the answer that was asked to open its ancestors; only compared
    std::optional<RowViewState> renamed_;       ///< in the next answer
    std::vector<analysis::SortKey> order_;      ///< sort order of the previous rows
    int scroll_ = 0;
    std::optional<int> currentLine_;     ///< position of the current row, relative to the top of the viewport
    analysis::KeyPath top_;              ///< first row of the viewport
    mutable analysis::KeyPath askedTop_; ///< the same at the time of the query
    bool restoring_ = false;
    bool expanding_ = false;
};

} // namespace highwater::ui
