#pragma once

#include "ui/format/time_base.h"
#include "ui/state/row_notes.h"
#include "ui/state/series_colors.h"
#include "ui/state/table/key_tree.h"
#include "ui/state/table/table_answer.h"
#include "ui/state/table/table_layout.h"

#include <QAbstractItemModel>
#include <QHash>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Tree lines of a stack to the left of a row's text. Chains of single children keep their level; a fork adds one.
/// Guide i is below the triangle of a row of level i.
struct BranchShape {
    int level = 0;
    std::vector<bool> guides; ///< `level` entries: true where a fork has more rows below this one
    bool isForkChild = false; ///< the last guide has a branch to this row
};

/// A grouped table as a tree of rows. Sections follow TableLayout: section 0 contains line numbers (painted by the
/// view, because they depend on the expanded rows), followed by one section per key column and the values. The text of
/// a row is in the section of its own key column; the tree is on column 0. The model points into the immutable rows of
/// the answer, so that it shows a hundred thousand rows without copying. It runs no queries: for a row that is not open
/// yet it emits openWanted() and receives the rows through insertOpened() later. Replacing the answer resets the model;
/// pathOf() and indexOf() carry expansion and selection over. GUI thread only.
class GroupedTableModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Role {
        SortRole = Qt::UserRole + 1, ///< the number behind the text (qlonglong), or the text
        PathRole,                    ///< KeyPath of the row
        PlainTextRole,               ///< for spreadsheets: bytes and counts as integers, times in seconds
        SeriesRole,                  ///< QList<qint64> of cells with a sparkline
        KeyTextRole,                 ///< the text of the row's own key, in any section
        NoteRole,                    ///< the user's note on the row, in any section
    };

    explicit GroupedTableModel(const SeriesColors& colors, QObject* parent = nullptr);
    ~GroupedTableModel() override;

    /// Sets the column formats, and the columns themselves while there is no answer.
    void setLayout(TableLayout layout);
    /// For columns in wall-clock time.
    void setTimeBase(const TimeBase& base);
    /// The current sections: keys, values and sort order of the answer; formats and the rest of the layout.
    [[nodiscard]] const TableLayout& shownLayout() const { return shown_; }

    void setAnswer(std::shared_ptr<const TableAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const TableAnswer>& answer() const { return answer_; }
    /// Inserts rows that a worker opened: all rows of the given row. Ignored if the answer has changed.
    void insertOpened(const std::shared_ptr<const TableAnswer>& answer, std::shared_ptr<const TableRow> row);
    /// The same for rows that have to be copied.
    void insertOpened(const std::shared_ptr<const TableAnswer>& answer, const TableRow& row) {
        insertOpened(answer, std::make_shared<const TableRow>(row));
    }
    /// Rows that the graph draws, as lines or painted, which get a square in their colour. Nothing: the graph uses
    /// other colours, and no row has a square.
    void setDrawnRows(std::optional<KeyTree> drawn);
    /// Call when colours may have changed.
    void refreshColors();
    /// The user's notes on rows of any table; they must outlive the model. Without them, no row has a note.
    void setNotes(RowNotes& notes);
    [[nodiscard]] RowNotes* notes() const { return notes_; }

    [[nodiscard]] analysis::KeyPath pathOf(const QModelIndex& index) const;
    /// Invalid if the row does not exist or is not open yet.
    [[nodiscard]] QModelIndex indexOf(const analysis::KeyPath& path) const;
    /// The deepest existing row of the path; invalid if even the first does not exist.
    [[nodiscard]] QModelIndex deepestIndexOf(const analysis::KeyPath& path) const;
    [[nodiscard]] QModelIndex indexOfNode(analysis::GroupedTable::NodeId node) const;
    [[nodiscard]] analysis::GroupedTable::NodeId nodeOf(const QModelIndex& index) const;
    /// The row of the index, or the totals for an invalid one; null without an answer. Valid while the answer is shown,
    /// or while the result of keepRows() exists.
    [[nodiscard]] const TableRow* rowOf(const QModelIndex& index) const;
    /// The last step of the path to an existing row, for walks over many rows.
    [[nodiscard]] const analysis::KeyStep& stepAt(int row, const QModelIndex& parent) const;
    /// Keeps all current rows alive for a worker that reads them.
    [[nodiscard]] std::vector<std::shared_ptr<const void>> keepRows() const;

    /// Whether the row's rows have to be requested. Also true for a leaf, for which canFetchMore() returns false
    /// because leaves open only on request.
    [[nodiscard]] bool canOpen(const QModelIndex& index) const;
    void open(const QModelIndex& index);
    /// Whether the row's children, opened or not, are single rows.
    [[nodiscard]] bool isLeaf(const QModelIndex& index) const;
    /// The last line below a leaf whose other rows are missing.
    [[nodiscard]] bool isMore(const QModelIndex& index) const;
    /// Whether the page has not been requested yet.
    [[nodiscard]] bool wantsPage(const QModelIndex& more) const;
    /// Requests the next page of rows, unless it is pending. The rows replace this line.
    void fetchPage(const QModelIndex& more);

    /// The value column of this section; nothing for line number and keys.
    [[nodiscard]] std::optional<analysis::ValueColumn> valueColumn(int section) const;
    /// The key column of this section.
    [[nodiscard]] std::optional<analysis::Column> keyColumn(int section) const;
    /// The section with the text of this row.
    [[nodiscard]] int keySection(const QModelIndex& index) const;
    [[nodiscard]] QString keyText(const QModelIndex& index) const { return index.data(KeyTextRole).toString(); }
    /// The row's position in the stack tree of `section`; level 0 in other sections and above the stack.
    [[nodiscard]] BranchShape branchShape(const QModelIndex& index, int section) const;
    /// "Process = app.exe (4242)".
    [[nodiscard]] QString describeKey(const QModelIndex& index) const;
    /// "Process = app.exe (4242) › Commit Stack = a.dll!f": text of a filter chip for a row and its ancestors,
    /// outermost first. Stacks show only the last frame, and only of the last row.
    [[nodiscard]] QString describePath(const std::vector<const TableRow*>& rows) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    QModelIndex parent(const QModelIndex& index) const final;
    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    bool hasChildren(const QModelIndex& parent = {}) const final;
    bool canFetchMore(const QModelIndex& parent) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;
    void fetchMore(const QModelIndex& parent) final;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

  signals:
    /// setAnswer() was called; nothing has changed yet.
    void aboutToReplace();
    void openWanted(highwater::analysis::GroupedTable::NodeId node);
    /// More single rows of a leaf are wanted, starting at this one.
    void pageWanted(highwater::analysis::GroupedTable::NodeId leaf, std::size_t first);
    /// Rows arrived below an opened row, including chains down to the next fork.
    void rowsOpened(const QModelIndex& index);

  private:
    [[nodiscard]] QString noteOn(const QModelIndex& index) const;
    struct Node;
    struct Pages;
    [[nodiscard]] QString describe(const TableRow& row) const;
    [[nodiscard]] Node* nodeAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Node& node) const;
    [[nodiscard]] Node* findNode(analysis::GroupedTable::NodeId id) const;
    /// Creates the child nodes on first access.
    void makeChildren(Node& node) const;
    [[nodiscard]] Node& childOf(Node& node, std::size_t position) const;
    void addPage(Node& leaf, const TableRow& page);
    void dropNodes();
    void merge(Node& node, const TableRow& row);
    void updateShownLayout();
    [[nodiscard]] int sectionOf(analysis::Column key) const;
    [[nodiscard]] QVariant lineData(const QModelIndex& index, int role) const;
    [[nodiscard]] QString textOf(const TableRow& row) const;
    [[nodiscard]] QString explain(const TableRow& row) const;
    [[nodiscard]] QVariant keyData(const Node& node, int role) const;
    [[nodiscard]] QVariant valueData(const Node& node, std::size_t position, int role) const;

    [[nodiscard]] QVariant swatchOf(const Node& node) const;

    const SeriesColors& colors_;
    KeyTree drawn_;
    bool hasSwatches_ = true;
    TimeBase timeBase_;
    TableLayout layout_;
    TableLayout shown_;
    std::shared_ptr<const TableAnswer> answer_;
    std::vector<std::shared_ptr<const TableRow>> opened_; ///< rows that nodes point into, in addition to the answer's
    std::unique_ptr<Node> root_;
    mutable QHash<quint32, Node*> asked_; ///< nodes that workers are opening
    RowNotes* notes_ = nullptr;
};

} // namespace highwater::ui

Q_DECLARE_METATYPE(highwater::analysis::KeyPath)
