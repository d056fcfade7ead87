#pragma once

#include "app/tools/fleet/page/fleet_table_model.h"
#include "ui/view/parts/page_table.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace highwater::ui {

/// An answer of a fleet as a sorted list whose stacks open into frames. Enter or a double click chooses a row, Ctrl+C
/// copies the selected ones with titles and stacks. What is selected and open stays so where it is in the next answer,
/// too. GUI thread only.
class FleetList : public PageTable {
    Q_OBJECT
  public:
    /// chooses: what Enter does, for the menu of a row.
    explicit FleetList(const QString& chooses, QWidget* parent = nullptr);

    void setTable(std::shared_ptr<const FleetTable> table);
    [[nodiscard]] const FleetTableModel& table() const { return model_; }
    /// The numbers are those of an older question than what stands around them: they are dimmed, and told as such.
    void setOld(bool isOld);
    [[nodiscard]] bool isOld() const { return isOld_; }
    /// The row of the table; nothing: none is selected.
    [[nodiscard]] std::optional<std::size_t> selectedRow() const;
    /// Rows of the table as they stand on screen.
    [[nodiscard]] std::vector<std::size_t> order() const;
    [[nodiscard]] QModelIndex indexOf(std::size_t row, int column = 0) const;

  signals:
    void rowSelected(std::size_t row);
    void rowChosen(std::size_t row);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void initViewItemOption(QStyleOptionViewItem* option) const override;

  private:
    void build();
    void choose();
    void copyRows() const;
    void fitColumns();
    void fitNumbers();
    void spanFrames(const QModelIndex& stack);
    void giveOwnerTheRest();

    FleetTableModel model_;
    QAction* choose_;
    bool isOld_ = false;
};

} // namespace highwater::ui
