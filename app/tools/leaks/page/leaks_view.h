#pragma once

#include "app/tools/leaks/page/leak_table_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>

class QPushButton;

namespace highwater::ui {

class FittedColumn;

/// Stacks that keep memory: a list, with the reason and the stack of the selected one. Selecting a suspect highlights
/// it in the graph of its table; Space filters to it or removes the filter; Enter or a double click opens
/// its rows. GUI thread only.
class LeaksView : public QWidget {
    Q_OBJECT
  public:
    explicit LeaksView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see which stacks keep memory."); }
    /// Keeps the selected suspect if it still exists. `areNamesComing`: functions without a name may still get one.
    void setAnswer(std::shared_ptr<const LeakAnswer> answer, bool areNamesComing = false);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy);
    /// The suspect that the graph of its table is filtered to; empty: none.
    void setFiltered(const analysis::KeyPath& path, analysis::Table table = analysis::Table::Heap) {
        filtered_ = path;
        filteredTable_ = table;
    }
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const LeakTableModel& model() const { return model_; }
    /// Null: none selected.
    [[nodiscard]] const analysis::LeakSuspect* selected() const;

  signals:
    void painted(const highwater::analysis::LeakSuspect& suspect);
    void filterWanted(const highwater::analysis::LeakSuspect& suspect);
    void filterUnwanted();
    void rowsWanted(const highwater::analysis::LeakSuspect& suspect);
    void zoomWanted(highwater::TimeRange range);

  private:
    void buildTable();
    void buildExit();
    void showExit();
    void showDetails();
    void showSummary();
    void widenOwners();
    void showTip();
    void toggleFilter();
    void openRows();
    [[nodiscard]] QStringList copiedLines() const;

    LeakTableModel model_;
    PageTable* table_;
    FittedColumn* owners_;
    BusySummary* summary_;
    QWidget* exit_; ///< shown if most of the memory was freed as a process exited
    ElidedLabel* exitText_;
    QPushButton* exitZoom_;
    StackDetails* details_;
    analysis::KeyPath filtered_;
    bool isChosen_ = false; ///< the user has selected the suspect
    analysis::Table filteredTable_ = analysis::Table::Heap;
};

} // namespace highwater::ui
