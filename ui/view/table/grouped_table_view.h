#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "ui/state/graph_state.h"
#include "ui/state/table/table_answer.h"
#include "ui/state/table/table_export.h"
#include "ui/view/table/frozen_tree_view.h"

#include <QPointer>

#include <optional>
#include <vector>

namespace highwater::ui {

class AnnotationEditor;
class GroupedTableModel;
class PivotDelegate;
class SelectionKeeper;
class TableActions;

/// A pivot table with its commands, drawn as WPA draws it: keys in columns of their own, chains of a stack not
/// indented, the gold and the blue bar through the rows. The line number and the first key stay in place when the rest
/// is scrolled sideways. Rows that are open or selected stay so by key when the answer is replaced. GUI thread only.
class GroupedTableView : public FrozenTreeView {
    Q_OBJECT
  public:
    static constexpr std::size_t kMaxPaintedRows = 8;

    GroupedTableView(GraphState& state, GroupedTableModel& model, QWidget* parent = nullptr);

    /// What the reader has open.
    [[nodiscard]] std::vector<analysis::KeyPath> expandedPaths() const;
    /// The same and all else that is to be found in the next answer, for the next question; and its version alone.
    [[nodiscard]] RowViewState rowViewState() const;
    [[nodiscard]] std::uint64_t keptVersion() const;
    /// Before the model gets the answer in which they are called so.
    void renameRows(const RowViewState& kept);
    /// A new trace: keys mean something else.
    void forgetRows();
    /// The numbers are those of an older question than what stands around them: they are dimmed, and told as such.
    void setOld(bool isOld);
    [[nodiscard]] bool isOld() const { return isOld_; }
    /// SelectionKeeper::adopt().
    void adoptRows(const RowViewState& kept);
    /// Opens the way to a row, selects it and scrolls to it, now or when the rows have come.
    void reveal(const analysis::KeyPath& path);
    /// The path of the current row, or of the one that is about to be revealed; empty: none.
    [[nodiscard]] analysis::KeyPath currentPath() const;
    [[nodiscard]] TableActions& actions() { return *actions_; }

    /// Keeps (or removes) the selected rows: one clause of the filter.
    void filterSelection(analysis::RowFilter::Clause::Mode mode);
    /// The list of labels, to be edited; with a line for the selected rows, of which the label is to be typed.
    void editAnnotations();
    void annotateSelection();
    /// A line in which the note of the current row is typed.
    void noteOnRow();
    /// Opens along the largest value of the sorted column from the current row, else from the top, down to the leaf.
    void expandHotPath();
    void collapseEverything();
    /// Frames from the leaf instead of from the root, and back.
    void turnStack();
    /// The selected rows with a header line, tab-separated: the whole path of each row, one field per key column, then
    /// plain numbers.
    void copySelection() const;
    /// As many rows as can be seen by scrolling, for an export.
    [[nodiscard]] ShownRows shownRows() const;

    /// The labels of stack rows that are on screen, from the top, each once.
    [[nodiscard]] std::vector<analysis::LabelId> framesOnScreen() const;

    void keyboardSearch(const QString& search) override;

  signals:
    void openWanted(const highwater::ui::ExpandRequest& expansion);
    /// The first time since forgetRows() that a frame is painted.
    void framesShown();
    /// Who calls this function, and what it calls.
    void callersWanted(const QString& function);
    /// Process and Handle of the selected row.
    void heapWanted(const highwater::analysis::KeyPath& heap);
    /// Everything below the node, if the reader agrees to that many rows.
    void expandWanted(const highwater::ui::ExpandRequest& expansion);

  public slots:
    /// After the model took in what was opened: shows it.
    void showOpened(const highwater::ui::ExpandRequest& expansion, const highwater::ui::TableRow& row);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawRow(QPainter* painter, const QStyleOptionViewItem& options, const QModelIndex& index) const override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void initViewItemOption(QStyleOptionViewItem* option) const override;

  private:
    void build();
    void connectModel();
    [[nodiscard]] std::vector<int> contentWidths() const;
    void refitColumns(const QModelIndex& opened);
    void paintWhatIsThere();
    void connectActions();
    void drawCells(QPainter* painter, const QStyleOptionViewItem& row, const QModelIndex& index, int from,
                   int to) const;
    /// Whether the row was opened or closed by its triangle.
    bool toggleAt(const QPoint& point);
    void toggle(const QModelIndex& row);
    /// Of a row that is no frame: nothing happens.
    void askForCallers(const QModelIndex& row);
    bool handleTreeKey(int key, const QModelIndex& row);
    [[nodiscard]] QString describe(const QModelIndex& index) const;
    /// The row and those that it is in, from the outside in.
    [[nodiscard]] std::vector<const TableRow*> rowsTo(const QModelIndex& index) const;
    [[nodiscard]] QModelIndexList selectedRowsInOrder() const;
    void setAnnotations(const analysis::Annotations& annotations);

    void noteFrames();
    void fetchPages();

    GraphState& state_;
    GroupedTableModel& model_;
    bool hasShownFrames_ = false;
    bool isOld_ = false;
    int refitFrom_ = 0; ///< the first section that may move; 0: nothing is to be fitted
    PivotDelegate* delegate_;
    SelectionKeeper* rows_;
    TableActions* actions_;
    QPointer<AnnotationEditor> annotations_;
};

} // namespace highwater::ui
