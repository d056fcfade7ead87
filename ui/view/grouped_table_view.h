#pragma once

#include "core/analysis/row_filter.h"
#include "ui/state/graph_state.h"
#include "ui/state/table_answer.h"

#include <QTreeView>

#include <vector>

namespace highwater::ui {

class GroupedTableModel;
class TableActions;

/// A grouped table with its commands. Rows that are open or selected stay so by key when the answer is replaced, and
/// when they vanish and come back later. GUI thread only.
class GroupedTableView : public QTreeView {
    Q_OBJECT
  public:
    GroupedTableView(GraphState& state, GroupedTableModel& model, QWidget* parent = nullptr);

    /// What the reader has open, for the next question.
    [[nodiscard]] std::vector<analysis::KeyPath> expandedPaths() const { return expanded_; }
    /// A new trace: keys mean something else.
    void forgetRows();
    [[nodiscard]] TableActions& actions() { return *actions_; }

    /// Keeps (or removes) the selected rows: one clause of the filter.
    void filterSelection(analysis::RowFilter::Clause::Mode mode);
    /// Opens along the largest Impacting Size from the current row, else from the top, down to the leaf.
    void expandHotPath();
    /// The selected rows with a header line, tab-separated: the whole path, then plain numbers.
    void copySelection() const;

  signals:
    void openWanted(highwater::analysis::GroupedTable::NodeId node, highwater::ui::OpenMode mode);

  public slots:
    /// After the model took in what was opened on a hot path: shows it and makes its leaf the current row.
    void revealHotPath(const highwater::ui::TableRow& from);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void connectModel();
    void showHeaderMenu(const QPoint& position);
    void noteExpanded(const QModelIndex& index);
    void noteCollapsed(const QModelIndex& index);
    void openOnlyChild(const QModelIndex& index);
    void rememberRows();
    void restoreRows();
    void fitColumns();
    void fitKeyColumn();
    void showSort();
    void changeSort(int section, Qt::SortOrder order);
    [[nodiscard]] QString describe(const QModelIndex& index) const;
    [[nodiscard]] QModelIndexList selectedKeyIndexes() const;

    GraphState& state_;
    GroupedTableModel& model_;
    TableActions* actions_;
    std::vector<analysis::KeyPath> expanded_;
    std::vector<analysis::KeyPath> selected_;
    analysis::KeyPath current_;
    int scroll_ = 0;
    bool restoring_ = false;
    std::vector<analysis::ValueColumn> fitted_; ///< the value columns that widths were made for
};

} // namespace highwater::ui
