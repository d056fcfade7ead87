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

/// A pivot table with its commands, painted like WPA's: keys in separate columns, chains of a stack without
/// indentation, the gold and the blue bar through the rows. The line number and the first key do not scroll
/// horizontally. Open and selected rows are preserved by key when the answer is replaced. GUI thread only.
class GroupedTableView : public FrozenTreeView {
    Q_OBJECT
  public:
    static constexpr std::size_t kMaxPaintedRows = 8;

    GroupedTableView(GraphState& state, GroupedTableModel& model, QWidget* parent = nullptr);

    /// Rows that the user has opened.
    [[nodiscard]] std::vector<analysis::KeyPath> expandedPaths() const;
    /// These and all other rows to find in the next answer, for the next query; and its version only.
    [[nodiscard]] RowViewState rowViewState() const;
    [[nodiscard]] std::uint64_t keptVersion() const;
    /// Call before the model gets the answer with these names.
    void renameRows(const RowViewState& kept);
    /// A new trace, in which keys have another meaning.
    void forgetRows();
    /// Marks the numbers as out of date: they are dimmed, and accessible descriptions mention it.
    void setOld(bool isOld);
    [[nodiscard]] bool isOld() const { return isOld_; }
    /// SelectionKeeper::adopt().
    void adoptRows(const RowViewState& kept);
    /// Opens the ancestors of a row, selects it and scrolls to it, now or when the rows have arrived.
    void reveal(const analysis::KeyPath& path);
    /// Path of the current row, or of the one to be revealed; empty: none.
    [[nodiscard]] analysis::KeyPath currentPath() const;
    [[nodiscard]] TableActions& actions() { return *actions_; }

    /// Keeps (or removes) the selected rows as one filter clause.
    void filterSelection(analysis::RowFilter::Clause::Mode mode);
    /// Opens the editor of labels; annotateSelection() adds a line for the selected rows, whose label is to be typed.
    void editAnnotations();
    void annotateSelection();
    /// Opens an editor for the current row's note.
    void noteOnRow();
    /// Opens rows along the largest value of the sort column, from the current row or the top, down to the leaf.
    void expandHotPath();
    void collapseEverything();
    /// Toggles between stacks from the root and from the leaf.
    void turnStack();
    /// Copies the selected rows with a header line, tab-separated: the full path of each row, one field per key column,
    /// followed by plain numbers.
    void copySelection() const;
    /// All rows that can be scrolled to, for an export.
    [[nodiscard]] ShownRows shownRows() const;

    /// Labels of visible stack rows, from top to bottom, without duplicates.
    [[nodiscard]] std::vector<analysis::LabelId> framesOnScreen() const;

    void keyboardSearch(const QString& search) override;

  signals:
    void openWanted(const highwater::ui::ExpandRequest& expansion);
    /// A frame was painted for the first time since forgetRows().
    void framesShown();
    /// Show callers and callees of this function.
    void callersWanted(const QString& function);
    /// Process and Handle of the selected row.
    void heapWanted(const highwater::analysis::KeyPath& heap);
    /// Show what holds the blocks of the selected rows.
    void holdersWanted();
    /// Expand everything below the node, if the user agrees to the number of rows.
    void expandWanted(const highwater::ui::ExpandRequest& expansion);

  public slots:
    /// Shows opened rows after the model has inserted them.
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
    void updatePaintedRows();
    void paintSelection();
    void connectActions();
    void drawCells(QPainter* painter, const QStyleOptionViewItem& row, const QModelIndex& index, int from,
                   int to) const;
    /// Whether the row was opened or closed by its triangle.
    bool toggleAt(const QPoint& point);
    void toggle(const QModelIndex& row);
    /// Has no effect on rows other than frames.
    void askForCallers(const QModelIndex& row);
    bool handleTreeKey(int key, const QModelIndex& row);
    [[nodiscard]] QString describe(const QModelIndex& index) const;
    /// The row and its ancestors, outermost first.
    [[nodiscard]] std::vector<const TableRow*> rowsTo(const QModelIndex& index) const;
    [[nodiscard]] QModelIndexList selectedRowsInOrder() const;
    void setAnnotations(const analysis::Annotations& annotations);

    void noteFrames();
    void fetchPages();

    GraphState& state_;
    GroupedTableModel& model_;
    bool hasShownFrames_ = false;
    bool isOld_ = false;
    int refitFrom_ = 0; ///< the first section that may move; 0: no fit is pending
    PivotDelegate* delegate_;
    SelectionKeeper* rows_;
    TableActions* actions_;
    QPointer<AnnotationEditor> annotations_;
};

} // namespace highwater::ui
