#pragma once

#include "ui/state/series_colors.h"
#include "ui/state/table_answer.h"

#include <QAbstractItemModel>
#include <QHash>

#include <memory>
#include <vector>

namespace highwater::ui {

/// A grouped table as a tree of rows: column 0 the keys, then the values. Shows copies of rows, so no query runs here:
/// a row that is not open yet asks with openWanted() and gets its rows through insertRows() later.
/// Replacing the answer is a model reset; pathOf() and indexOf() carry expansion and selection over it. GUI thread
/// only.
class GroupedTableModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Role {
        SortRole = Qt::UserRole + 1, ///< the number behind the text (qlonglong), or the text
        PathRole,                    ///< KeyPath of the row
        PlainTextRole,               ///< for spreadsheets: bytes and counts as integers, times in seconds
    };

    explicit GroupedTableModel(const SeriesColors& colors, QObject* parent = nullptr);
    ~GroupedTableModel() override;

    void setAnswer(std::shared_ptr<const TableAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const TableAnswer>& answer() const { return answer_; }
    /// What a worker opened: the row with its rows, all of them if it was open already. Ignored if the answer is
    /// another.
    void insertOpened(const std::shared_ptr<const TableAnswer>& answer, const TableRow& row);
    /// Colours of processes may have been given out.
    void refreshColors();

    [[nodiscard]] analysis::KeyPath pathOf(const QModelIndex& index) const;
    /// Invalid if the row does not exist or is not open yet.
    [[nodiscard]] QModelIndex indexOf(const analysis::KeyPath& path) const;
    [[nodiscard]] QModelIndex indexOfNode(analysis::GroupedTable::NodeId node) const;
    [[nodiscard]] analysis::GroupedTable::NodeId nodeOf(const QModelIndex& index) const;
    /// The value column shown in this section; column 0 has none.
    [[nodiscard]] std::optional<analysis::ValueColumn> valueColumn(int section) const;
    /// "Process = app.exe (4242)", the words of a filter chip.
    [[nodiscard]] QString describeKey(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    QModelIndex parent(const QModelIndex& index) const final;
    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    bool hasChildren(const QModelIndex& parent = {}) const final;
    bool canFetchMore(const QModelIndex& parent) const final;
    void fetchMore(const QModelIndex& parent) final;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;
    /// Sorting is the analysis' work: only says what is wanted.
    void sort(int section, Qt::SortOrder order = Qt::AscendingOrder) final;

  signals:
    void openWanted(highwater::analysis::GroupedTable::NodeId node);
    void sortWanted(int section, Qt::SortOrder order);
    /// Rows arrived below a row that was opened, chains down to the next fork included.
    void rowsOpened(const QModelIndex& index);

  private:
    struct Node;
    [[nodiscard]] Node* nodeAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Node& node) const;
    void fill(Node& node, const std::vector<TableRow>& rows);
    void merge(Node& node, const TableRow& row);
    [[nodiscard]] QVariant keyData(const Node& node, int role) const;
    [[nodiscard]] QVariant valueData(const Node& node, std::size_t position, int role) const;
    [[nodiscard]] QString keysTitle() const;

    const SeriesColors& colors_;
    std::shared_ptr<const TableAnswer> answer_;
    std::unique_ptr<Node> root_;
    QHash<quint32, Node*> nodes_;
};

} // namespace highwater::ui

Q_DECLARE_METATYPE(highwater::analysis::KeyPath)
