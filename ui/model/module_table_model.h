#pragma once

#include "core/symbols/resolver/module_load.h"
#include "ui/model/row_table_model.h"

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Source of a module's cells.
struct ModuleRow {
    const symbols::ModuleLoad& load;
    const store::ProcessTable* processes;
    const store::Module* module; ///< null: unknown
};

/// Modules that appear in stacks and their symbol status, one row each. A new status changes only the cells that differ
/// and keeps the rows, so that the selection is preserved. kSortRole returns numbers where the text has units. GUI
/// thread only.
class ModuleTableModel : public RowTableModel<ModuleRow> {
    Q_OBJECT
  public:
    enum Column { kModule, kState, kFrames, kBytes, kIdentity, kPath, kColumns };

    using RowTableModel::RowTableModel;

    /// `processes` contains the modules of the status.
    void setStatus(const symbols::SymbolLoadStatus& status, std::shared_ptr<const store::ProcessTable> processes);
    void clear();
    [[nodiscard]] const symbols::ModuleLoad& load(int row) const { return loads_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] std::optional<int> rowOf(store::ModuleIndex module) const;

  private:
    void removeMissing(const symbols::SymbolLoadStatus& status);
    void update(int row, const symbols::ModuleLoad& load);
    [[nodiscard]] const Columns& columns() const override;
    [[nodiscard]] std::size_t size() const override { return loads_.size(); }
    [[nodiscard]] ModuleRow rowAt(std::size_t row) const override;
    [[nodiscard]] QString toolTip(ModuleRow row, int column) const override;

    std::shared_ptr<const store::ProcessTable> processes_;
    std::vector<symbols::ModuleLoad> loads_;
    std::vector<std::optional<int>> rows_; ///< by ModuleIndex
};

} // namespace highwater::ui
