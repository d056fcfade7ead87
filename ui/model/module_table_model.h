#pragma once

#include "core/symbols/resolver/module_load.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// The modules that own frames and what became of their symbols, a row each. A new status changes the cells that
/// differ; rows stay where they are, so that a selection outlives it. kSortRole has numbers where the text has units.
/// GUI thread only.
class ModuleTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kModule, kState, kFrames, kBytes, kIdentity, kPath, kColumns };
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// `processes` names the status's modules.
    void setStatus(const symbols::SymbolLoadStatus& status, std::shared_ptr<const store::ProcessTable> processes);
    void clear();
    [[nodiscard]] const symbols::ModuleLoad& load(int row) const { return loads_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] std::optional<int> rowOf(store::ModuleIndex module) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void removeMissing(const symbols::SymbolLoadStatus& status);
    void update(int row, const symbols::ModuleLoad& load);
    [[nodiscard]] const store::Module* moduleOf(int row) const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QVariant sortValue(int row, int column) const;

    std::shared_ptr<const store::ProcessTable> processes_;
    std::vector<symbols::ModuleLoad> loads_;
    std::vector<std::optional<int>> rows_; ///< by ModuleIndex
};

} // namespace highwater::ui
