#pragma once

#include "app/tools/difference/page/difference_finder.h"

#include <QAbstractItemModel>

#include <memory>

namespace highwater::ui {

/// The difference between two sides as a tree with group, state, before, after and delta. kSortRole contains numbers
/// where the text has units. GUI thread only.
class DifferenceModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Column { kGroup, kState, kBefore, kAfter, kDelta, kCountBefore, kCountAfter, kCountDelta, kColumns };
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const DifferenceAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const DifferenceAnswer>& answer() const { return answer_; }
    /// The number of a valid index in the answer.
    [[nodiscard]] static std::uint32_t rowOf(const QModelIndex& index) {
        return static_cast<std::uint32_t>(index.internalId());
    }
    /// The group texts from the root to this row; the same group in another answer has the same texts.
    [[nodiscard]] QStringList pathOf(const QModelIndex& index) const;
    [[nodiscard]] static QStringList pathOf(const DifferenceAnswer& answer, std::uint32_t row);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] std::uint32_t numberOf(const QModelIndex& parent) const {
        return parent.isValid() ? rowOf(parent) : 0;
    }

    std::shared_ptr<const DifferenceAnswer> answer_;
};

/// "Grown", "Within noise", ...
[[nodiscard]] QString differenceStateText(analysis::DifferenceState state);
/// "Outstanding", "Peak Size", ...
[[nodiscard]] QString measureText(analysis::Measure measure);

} // namespace highwater::ui
