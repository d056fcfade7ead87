#pragma once

#include "app/tools/histogram/page/histogram_table_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QString>
#include <QWidget>

#include <memory>

class QComboBox;

namespace highwater::ui {

class Chart;

/// How often which size, or which lifetime, comes: a row with a bar each, beside a chart of them. A click, Space or
/// Enter filters to the rows of a bar, once more takes that back. GUI thread only.
class HistogramView : public QWidget {
    Q_OBJECT
  public:
    enum class What { Sizes, FrequentSizes, LifeTimes };

    explicit HistogramView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see its sizes and lifetimes."); }
    /// The selected bar stays selected where there still is one of these values.
    void setAnswer(std::shared_ptr<const HistogramAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// The query that the graph is filtered to by this page; empty: none.
    void setFiltered(const QString& query) { filtered_ = query; }
    [[nodiscard]] What what() const;
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const HistogramTableModel& model() const { return model_; }
    /// What finds the rows of the selected bar; empty: none is selected.
    [[nodiscard]] QString selectedQuery() const;

  signals:
    /// Something else is to be shown: what().
    void whatChanged();
    void filterWanted(const QString& query);
    void filterUnwanted();

  private:
    void build();
    void buildTable();
    void showSummary();
    void showChart();
    [[nodiscard]] QString wordsOf(int row) const;
    void toggleFilter();
    [[nodiscard]] QString queryOf(int row) const;

    HistogramTableModel model_;
    QComboBox* what_;
    QComboBox* measure_;
    BusySummary* summary_;
    PageTable* table_;
    Chart* chart_;
    QString filtered_;
};

} // namespace highwater::ui
