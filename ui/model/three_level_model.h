#pragma once

#include <QAbstractItemModel>

#include <cstddef>

namespace highwater::ui {

/// Base of trees with three levels, such as processes, layers and mappings. A derived model has the data and the counts
/// of rows and columns; rows below another column than the first do not exist. GUI thread only.
class ThreeLevelModel : public QAbstractItemModel {
  public:
    using QAbstractItemModel::QAbstractItemModel;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const final;

  protected:
    enum class Level { First, Second, Third };

    // For valid indexes:
    [[nodiscard]] static Level levelOf(const QModelIndex& index);
    /// The row of the first level that it is, or is below.
    [[nodiscard]] static std::size_t firstOf(const QModelIndex& index);
    /// The same for the second level; not for an index of the first one.
    [[nodiscard]] static std::size_t secondOf(const QModelIndex& index);
};

} // namespace highwater::ui
