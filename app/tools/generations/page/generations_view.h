#pragma once

#include "app/tools/generations/page/generations_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace highwater::ui {

class Chart;

/// Marks with the growth up to each and their stacks, next to a chart of the marks. Selecting a mark or a stack
/// highlights it in the graph; Space filters to it or removes the filter; Enter or a double click opens its
/// rows; F2 renames the mark. GUI thread only.
class GenerationsView : public QWidget {
    Q_OBJECT
  public:
    explicit GenerationsView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see growth from mark to mark."); }
    /// Keeps the selected and expanded rows that still exist. The answer waits while a name is being edited.
    void setAnswer(std::shared_ptr<const GenerationsAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// The path that the graph is filtered to; empty: none.
    void setFiltered(const analysis::KeyPath& path) { filtered_ = path; }
    /// The label of the row with this path, as in filterWanted; empty if it no longer exists.
    [[nodiscard]] QString textOf(const analysis::KeyPath& path) const { return textOf(model_.indexOf(path)); }
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const GenerationsModel& model() const { return model_; }

  signals:
    void painted(const highwater::analysis::KeyPath& path);
    /// text: label of the filter.
    void filterWanted(const highwater::analysis::KeyPath& path, const QString& text);
    void filterUnwanted();
    void rowsWanted(const highwater::analysis::KeyPath& path, const QString& text);
    void renameWanted(qint64 ticks, const QString& name);

  private:
    void buildTable();
    void buildRename();
    void showAnswer(std::shared_ptr<const GenerationsAnswer> answer);
    [[nodiscard]] std::vector<analysis::KeyPath> openPaths() const;
    void showSummary();
    void showChart();
    [[nodiscard]] QString textOf(const QModelIndex& index) const;
    [[nodiscard]] QString selectedText() const;
    void toggleFilter();
    void openRows();
    void followRow();
    void startRename();
    void endRename();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;

    GenerationsModel model_;
    PageTable* table_;
    Chart* chart_;
    BusySummary* summary_;
    QAction* rename_;
    analysis::KeyPath filtered_;
    std::shared_ptr<const GenerationsAnswer> waiting_; ///< arrived while a name was being edited
    bool isEditing_ = false;
};

} // namespace highwater::ui
