#pragma once

#include "app/tools/holders/page/held_by_finder.h"
#include "core/analysis/query/row_filter.h"
#include "ui/state/finders/finder_of.h"

#include <QAbstractItemModel>

#include <memory>
#include <string>
#include <vector>

namespace highwater::ui {

/// What holds the blocks of the question, and the query.
using HeldByAnswer = Answered<HeldByPageQuery, HeldByPageFound>;

/// Processes with the roots that hold their blocks, and below each root the steps of the way to the blocks, by owner.
/// GUI thread only.
class HeldByModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Column {
        kName,
        kKind,
        kCertain,
        kRetained,
        kSize,
        kCount,
        kSizeChange,
        kCountChange,
        kOwnSize,
        kOwnCount,
        kColumns
    };
    /// Numbers where the text has units.
    static constexpr int kSortRole = Qt::UserRole;

    /// Texts of the rows from the process to a row.
    using RowName = std::vector<std::string>;

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const HeldByAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const HeldByAnswer>& answer() const { return answer_; }
    /// Whether the rows have changes.
    [[nodiscard]] bool isComparison() const { return answer_ && !answer_->found.before.empty(); }
    /// The process of a row; null: no such row.
    [[nodiscard]] const analysis::HeldBy* process(const QModelIndex& index) const;
    /// Index of its row in the rows of the answer. `index` is valid.
    [[nodiscard]] std::size_t processRow(QModelIndex index) const;
    [[nodiscard]] RowName nameOf(const QModelIndex& index) const;
    /// The first row with this name, or the last one on the way to it; invalid if the process has gone.
    [[nodiscard]] QModelIndex nearestTo(const RowName& name) const;
    /// The root of the process with the most bytes, or, of a root or step, the step below it.
    [[nodiscard]] QModelIndex heaviestBelow(const QModelIndex& index) const;
    /// The rows of the Heap table behind a row; empty: no such row.
    [[nodiscard]] std::vector<analysis::KeyPath> rowsOf(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] const HeldRow& row(const QModelIndex& index) const { return answer_->found.rows[index.internalId()]; }
    [[nodiscard]] std::string text(const HeldRow& row) const;
    [[nodiscard]] QString tip(const QModelIndex& index) const;

    std::shared_ptr<const HeldByAnswer> answer_;
    int processes_ = 0; ///< number of rows without a parent
};

} // namespace highwater::ui
