#pragma once

#include "core/analysis/generations/generations.h"
#include "ui/model/three_level_model.h"
#include "ui/state/finders/finder_of.h"

#include <memory>

namespace highwater::ui {

/// Growth from mark to mark, and the query.
using GenerationsAnswer = Answered<analysis::GenerationsQuery, analysis::GenerationsReport>;

/// Marks with the growth up to each, one row per mark in time order, the end of the interval last. Children of a mark
/// are the stacks that keep most of the memory allocated since the previous mark, and their children are frames,
/// innermost first. Mark names are editable; the owner of the marks applies the change. GUI thread only.
class GenerationsModel : public ThreeLevelModel {
    Q_OBJECT
  public:
    enum Column { kName, kTime, kGrowth, kPersistent, kBytes, kGeneration, kProcess, kColumns };

    using ThreeLevelModel::ThreeLevelModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const GenerationsAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const GenerationsAnswer>& answer() const { return answer_; }
    /// The mark of a row or of its parent; null: no such row.
    [[nodiscard]] const analysis::Generation* generation(const QModelIndex& index) const;
    /// The stack of a row or of its frame; null: not a stack.
    [[nodiscard]] const analysis::GenerationStack* stack(const QModelIndex& index) const;
    /// The table rows behind this row; empty: none.
    [[nodiscard]] analysis::KeyPath path(const QModelIndex& index) const;
    /// The row of a mark or a stack with this path; invalid if it no longer exists.
    [[nodiscard]] QModelIndex indexOf(const analysis::KeyPath& path) const;

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
