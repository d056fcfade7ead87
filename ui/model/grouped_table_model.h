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

/// How a stack's tree is drawn left of a row's text. Chains of single children keep their level; below a fork it is one
/// deeper. Guide i stands below the triangle of a row of level i.
struct BranchShape {
    int level = 0;
    std::vector<bool> guides; ///< `level` of them: true where a fork has more rows below this one
    bool isForkChild = false; ///< the last guide has a branch to this row
};

/// A grouped table as a tree of rows. Sections as in a TableLayout: 0 numbers the lines (painted by the view, which
/// alone knows what is expanded), then one section per key column, then the values. The text of a row stands in the
/// section of its own key column; the tree hangs on column 0. Points into the immutable rows of the answer, so that a
/// hundred thousand rows are shown without copying one, and no query runs here: a row that is not open yet asks with
/// openWanted() and gets its rows through insertOpened() later.
/// Replacing the answer is a model reset; pathOf() and indexOf() carry expansion and selection over it. GUI thread
/// only.
class GroupedTableModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Role {
        SortRole = Qt::UserRole + 1, ///< the number behind the text (qlonglong), or the text
        PathRole,                    ///< KeyPath of the row
        PlainTextRole,               ///< for spreadsheets: bytes and counts as integers, times in seconds
        SeriesRole,                  ///< QList<qint64> of cells that show a line
        KeyTextRole,                 ///< the text of the row's own key, in whichever section it is asked
        NoteRole,                    ///< the reader's note on the row, in whichever section it is asked
    };

    explicit GroupedTableModel(const SeriesColors& colors, QObject* parent = nullptr);
    ~GroupedTableModel() override;

    /// Formats of the columns; also the columns themselves as long as there is no answer.
    void setLayout(TableLayout layout);
    /// For columns in wall-clock time.
    void setTimeBase(const TimeBase& base);
    /// What the sections show now: keys, values and sort of the answer, formats and the rest of the layout.
    [[nodiscard]] const TableLayout& shownLayout() const { return shown_; }

    void setAnswer(std::shared_ptr<const TableAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const TableAnswer>& answer() const { return answer_; }
    /// What a worker opened: the row with its rows, all of them if it was open already. Ignored if the answer is
    /// another.
    void insertOpened(const std::shared_ptr<const TableAnswer>& answer, std::shared_ptr<const TableRow> row);
    /// The same for rows that have to be copied.
    void insertOpened(const std::shared_ptr<const TableAnswer>& answer, const TableRow& row) {
        insertOpened(answer, std::make_shared<const TableRow>(row));
    }
    /// What the graph draws, as lines or painted: these have a square of their colour. Nothing: it draws in other
    /// colours, and no row has one.
    void setDrawnRows(std::optional<KeyTree> drawn);
    /// Colours may be others.
    void refreshColors();
    /// The reader's, on rows of any table; they must outlive it. Until then rows have none.
    void setNotes(RowNotes& notes);
    [[nodiscard]] RowNotes* notes() const { return notes_; }

    [[nodiscard]] analysis::KeyPath pathOf(const QModelIndex& index) const;
    /// Invalid if the row does not exist or is not open yet.
    [[nodiscard]] QModelIndex indexOf(const analysis::KeyPath& path) const;
    /// The last row of the path that is there; invalid if not even the first is.
    [[nodiscard]] QModelIndex deepestIndexOf(const analysis::KeyPath& path) const;
    [[nodiscard]] QModelIndex indexOfNode(analysis::GroupedTable::NodeId node) const;
    [[nodiscard]] analysis::GroupedTable::NodeId nodeOf(const QModelIndex& index) const;
    /// The row behind the index, that of the totals for an invalid one; null without an answer. Lives as long as the
    /// answer is shown, or as what keepRows() returned.
    [[nodiscard]] const TableRow* rowOf(const QModelIndex& index) const;
    /// The last step of the path to a row that is there: for walks over many rows.
    [[nodiscard]] const analysis::KeyStep& stepAt(int row, const QModelIndex& parent) const;
    /// Keeps every row that is shown now alive, for a worker that reads them.
    [[nodiscard]] std::vector<std::shared_ptr<const void>> keepRows() const;

    /// Whether the row's rows are still to be asked for; of a leaf, too, which nobody opens in passing: canFetchMore()
    /// says no of it.
    [[nodiscard]] bool canOpen(const QModelIndex& index) const;
    void open(const QModelIndex& index);
    /// Whether what lies below the row, opened or not, are single rows.
    [[nodiscard]] bool isLeaf(const QModelIndex& index) const;
    /// The last line below a leaf whose other rows have not come yet.
    [[nodiscard]] bool isMore(const QModelIndex& index) const;
    /// Whether nobody has asked for them.
    [[nodiscard]] bool wantsPage(const QModelIndex& more) const;
    /// Asks for the next page of rows, unless they are on their way; they come where this line is.
    void fetchPage(const QModelIndex& more);

    /// The value column shown in this section; line number and keys have none.
    [[nodiscard]] std::optional<analysis::ValueColumn> valueColumn(int section) const;
    /// The key column shown in this section.
    [[nodiscard]] std::optional<analysis::Column> keyColumn(int section) const;
    /// The section in which the text of this row stands.
    [[nodiscard]] int keySection(const QModelIndex& index) const;
    [[nodiscard]] QString keyText(const QModelIndex& index) const { return index.data(KeyTextRole).toString(); }
    /// How the row hangs in the tree of the stack of `section`; level 0 in other sections and above the stack.
    [[nodiscard]] BranchShape branchShape(const QModelIndex& index, int section) const;
    /// "Process = app.exe (4242)".
    [[nodiscard]] QString describeKey(const QModelIndex& index) const;
    /// "Process = app.exe (4242) › Commit Stack = a.dll!f", the words of a filter chip, of a row and those above it,
    /// from the outside in: of a stack only the last frame, and only of the last row.
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
    /// More single rows of a leaf, from this one on.
    void pageWanted(highwater::analysis::GroupedTable::NodeId leaf, std::size_t first);
    /// Rows arrived below a row that was opened, chains down to the next fork included.
    void rowsOpened(const QModelIndex& index);

  private:
    [[nodiscard]] QString noteOn(const QModelIndex& index) const;
    struct Node;
    struct Pages;
    [[nodiscard]] QString describe(const TableRow& row) const;
    [[nodiscard]] Node* nodeAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Node& node) const;
    [[nodiscard]] Node* findNode(analysis::GroupedTable::NodeId id) const;
    /// The nodes of a row's rows, made when they are first looked at.
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
    std::vector<std::shared_ptr<const TableRow>> opened_; ///< rows that nodes point into, besides the answer's
    std::unique_ptr<Node> root_;
    mutable QHash<quint32, Node*> asked_; ///< nodes that workers are opening
    RowNotes* notes_ = nullptr;
};

} // namespace highwater::ui

Q_DECLARE_METATYPE(highwater::analysis::KeyPath)
