#pragma once

#include "ui/model/leak_table_model.h"

#include <QWidget>

#include <memory>
#include <optional>

class QSortFilterProxyModel;
class QTreeView;

namespace highwater::ui {

class ElidedLabel;
class PlainLabel;
class StackList;

/// Which stacks keep memory: a list, and beside it why the selected one is there, and its stack. Selecting a suspect
/// paints it; a click or Space filters to it, once more takes that back; Enter or a double click opens its rows. GUI
/// thread only.
class LeaksView : public QWidget {
    Q_OBJECT
  public:
    explicit LeaksView(QWidget* parent = nullptr);

    /// The selected suspect stays selected where it still is one.
    void setAnswer(std::shared_ptr<const LeakAnswer> answer);
    /// There is nothing to show, and why.
    void clear(const QString& why);
    void setBusy(bool busy);
    /// The suspect that the graph is filtered to; empty: none.
    void setFiltered(const analysis::KeyPath& path);
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const LeakTableModel& model() const { return model_; }
    /// Null: none is selected.
    [[nodiscard]] const analysis::LeakSuspect* selected() const;

  signals:
    void painted(const highwater::analysis::LeakSuspect& suspect);
    void filterWanted(const highwater::analysis::LeakSuspect& suspect);
    void filterUnwanted();
    void rowsWanted(const highwater::analysis::LeakSuspect& suspect);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void buildTable();
    void showDetails();
    void showSummary();
    void setSummary(const QString& text);
    void toggleFilter();
    void copy();

    LeakTableModel model_;
    QSortFilterProxyModel* sorted_;
    QTreeView* table_;
    ElidedLabel* summary_;
    PlainLabel* why_;
    StackList* stack_;
    analysis::KeyPath filtered_;
    bool isBusy_ = false;
    bool isRefreshing_ = false; ///< a selection that is put back is nobody's wish
};

} // namespace highwater::ui
