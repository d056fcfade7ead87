#pragma once

#include "core/analysis/generations/generations.h"
#include "ui/state/finders/finder_of.h"

#include <QAbstractItemModel>

#include <memory>

namespace highwater::ui {

/// What grew from mark to mark, and what was asked.
using GenerationsAnswer = Answered<analysis::GenerationsQuery, analysis::GenerationsReport>;

/// Marks with what grew up to each, a row each in the order of time, the end of the interval last; below a mark the
/// stacks that keep most of what was allocated since the mark before, below a stack its frames, innermost first. The
/// name of a mark can be edited; whoever keeps the marks does it. GUI thread only.
class GenerationsModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Column { kName, kTime, kGrowth, kPersistent, kBytes, kGeneration, kProcess, kColumns };

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const GenerationsAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const GenerationsAnswer>& answer() const { return answer_; }
    /// Of a mark, or of what is below it; null: no such row.
    [[nodiscard]] const analysis::Generation* generation(const QModelIndex& index) const;
    /// Of a stack, or of a frame of it; null: the row is none.
    [[nodiscard]] const analysis::GenerationStack* stack(const QModelIndex& index) const;
    /// What rows of the table it stands for; empty: none.
    [[nodiscard]] analysis::KeyPath path(const QModelIndex& index) const;
    /// The row of a mark or a stack with this path; invalid: there is none any more.
    [[nodiscard]] QModelIndex indexOf(const analysis::KeyPath& path) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  signals:
    void renameWanted(qint64 ticks, const QString& name);

  private:
    [[nodiscard]] const analysis::Generation& at(std::size_t generation) const;
    [[nodiscard]] QString text(const QModelIndex& index) const;
    [[nodiscard]] QString name(const QModelIndex& index) const;

    std::shared_ptr<const GenerationsAnswer> answer_;
};

} // namespace highwater::ui
