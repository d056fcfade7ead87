#pragma once

#include "app/tools/fleet/page/fleet_table.h"

#include <QAbstractItemModel>

#include <cstddef>
#include <memory>

namespace highwater::ui {

/// An answer of a fleet as a list; below a row that is a stack stand its frames, innermost first. kSortRole has numbers
/// where the text has units. GUI thread only.
class FleetTableModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: none.
    void setTable(std::shared_ptr<const FleetTable> table);
    [[nodiscard]] const std::shared_ptr<const FleetTable>& table() const { return table_; }
    /// The row of the table, also of a frame below it. Of a valid index.
    [[nodiscard]] static std::size_t rowOf(const QModelIndex& index);
    [[nodiscard]] static bool isFrame(const QModelIndex& index) { return index.isValid() && index.internalId() != 0; }
    /// What it is called wherever else it stands in the table: of a stack its frames, process and kind of memory.
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
