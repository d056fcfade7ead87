#pragma once

#include "app/tools/fleet/page/fleet_table.h"

#include <QAbstractItemModel>

#include <cstddef>
#include <memory>

namespace highwater::ui {

/// A fleet answer as a list; rows that are stacks have their frames as children, innermost first. kSortRole contains
/// numbers where the text has units. GUI thread only.
class FleetTableModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: none.
    void setTable(std::shared_ptr<const FleetTable> table);
    [[nodiscard]] const std::shared_ptr<const FleetTable>& table() const { return table_; }
    /// The table row of a valid index, also for a frame below it.
    [[nodiscard]] static std::size_t rowOf(const QModelIndex& index);
    [[nodiscard]] static bool isFrame(const QModelIndex& index) { return index.isValid() && index.internalId() != 0; }
    /// Identifies a row independently of its position: for a stack by frames, process and kind of memory.
    [[nodiscard]] QString nameOf(std::size_t row) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] const FleetCell& cell(const QModelIndex& index) const;
    [[nodiscard]] QVariant frameData(const QModelIndex& index, int role) const;

    std::shared_ptr<const FleetTable> table_;
};

} // namespace highwater::ui
