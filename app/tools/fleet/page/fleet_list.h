#pragma once

#include "app/tools/fleet/page/fleet_table_model.h"
#include "ui/view/parts/page_table.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace highwater::ui {

/// A sorted list of a fleet answer whose stacks expand to frames. Enter or a double click activates a row; Ctrl+C
/// copies the selected rows with titles and stacks. Selection and expansion are kept in the next answer if possible.
/// GUI thread only.
class FleetList : public PageTable {
    Q_OBJECT
  public:
    /// chooses: the effect of Enter, for the context menu.
    explicit FleetList(const QString& chooses, QWidget* parent = nullptr);

    void setTable(std::shared_ptr<const FleetTable> table);
    [[nodiscard]] const FleetTableModel& table() const { return model_; }
    /// The numbers belong to an older query than the rest of the page, so they are dimmed with a hint.
    void setOld(bool isOld);
    [[nodiscard]] bool isOld() const { return isOld_; }
    /// The selected row of the table; empty: none.
    [[nodiscard]] std::optional<std::size_t> selectedRow() const;
    /// Rows of the table in their displayed order.
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
