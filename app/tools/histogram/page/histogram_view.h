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

/// The frequency of sizes or lifetimes: a list with bars, next to a chart of them. A double click, Space or Enter
/// filters to the rows of a bar or removes the filter. GUI thread only.
class HistogramView : public QWidget {
    Q_OBJECT
  public:
    enum class What { Sizes, FrequentSizes, LifeTimes };

    explicit HistogramView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see its sizes and lifetimes."); }
    /// Keeps the selected bar if one with these values still exists.
    void setAnswer(std::shared_ptr<const HistogramAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// The query by which this page filters the graph; empty: none.
    void setFiltered(const QString& query) { filtered_ = query; }
    [[nodiscard]] What what() const;
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const HistogramTableModel& model() const { return model_; }
    /// The query for the rows of the selected bar; empty: none selected.
    [[nodiscard]] QString selectedQuery() const;

  signals:
    /// what() has changed.
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
