#pragma once

#include "app/tools/heaps/page/heap_table_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace highwater::ui {

/// A list of heaps, with the stack that created the selected one. Selecting a heap highlights it in the graph; Space
/// filters to it or removes the filter; Enter or a double click opens its rows. GUI thread only.
class HeapsView : public QWidget {
    Q_OBJECT
  public:
    explicit HeapsView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see its heaps."); }
    /// Keeps the selected heap if it still exists.
    void setAnswer(std::shared_ptr<const HeapAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// The heap that the graph is filtered to; empty: none.
    void setFiltered(const analysis::KeyPath& path) { filtered_ = path; }
    /// Selects the heap now or when it appears.
    void select(const analysis::KeyPath& path);
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const HeapTableModel& model() const { return model_; }
    /// Null: none selected.
    [[nodiscard]] const analysis::HeapFacts* selected() const;

  signals:
    void painted(const highwater::analysis::HeapFacts& heap);
    void filterWanted(const highwater::analysis::HeapFacts& heap);
    void filterUnwanted();
    void rowsWanted(const highwater::analysis::HeapFacts& heap);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildTable();
    void showDetails();
    void showSummary();
    void fitColumns();
    void toggleFilter();
    void openRows();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;
    bool selectRow(const analysis::KeyPath& path);

    HeapTableModel model_;
    PageTable* table_;
    BusySummary* summary_;
    StackDetails* details_;
    analysis::KeyPath filtered_;
    analysis::KeyPath awaited_;
    bool isFitting_ = false;
    bool hasOwnWidths_ = false; ///< the user has resized the name columns
};

} // namespace highwater::ui
