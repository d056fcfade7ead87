#pragma once

#include "ui/state/query_planner.h"
#include "ui/state/query_runner.h"
#include "ui/state/series_colors.h"
#include "ui/state/view_state.h"

#include <QActionGroup>
#include <QWidget>

#include <array>
#include <memory>

class QTabBar;

namespace highwater::ui {

class FilterBar;
class GroupedTableModel;
class GroupedTableView;
class MessageStrip;
class SeriesLegendView;
class TimelineView;
class ZoomActions;

/// One analysis of one trace: timeline above, table below, one view state between them. GUI thread only.
class AnalysisView : public QWidget {
    Q_OBJECT
  public:
    explicit AnalysisView(QWidget* parent = nullptr, QueryFunctions functions = {});
    ~AnalysisView() override;

    /// A new trace, when the labels are other ones; else more of the same.
    void setTrace(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    void clearTrace();
    /// While a trace is loading, an empty table may still get rows.
    void setLoading(bool loading);

    [[nodiscard]] ViewState& state() { return state_; }
    [[nodiscard]] QueryRunner& runner() { return runner_; }
    [[nodiscard]] GroupedTableModel& model() { return *model_; }
    [[nodiscard]] GroupedTableView& table() { return *table_; }
    [[nodiscard]] TimelineView& timeline() { return *timeline_; }
    [[nodiscard]] QList<QAction*> zoomActions() const;
    [[nodiscard]] QList<QAction*> tableActions() const;
    /// One checkable action a table: Ctrl+1, Ctrl+2, Ctrl+3.
    [[nodiscard]] QList<QAction*> tableChoices() const { return choices_->actions(); }
    /// Table and timeline show what the view state asks for, all of the trace that was set.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();

  private:
    void build();
    void buildChoices();
    void connectState();
    void connectAnswers();
    void showTable(std::shared_ptr<const TableAnswer> answer);
    void showTimeline(std::shared_ptr<const analysis::Timeline> timeline);
    void showTotals(const TableAnswer& answer);
    void explainEmptyTable();
    void greet();

    ViewState state_;
    SeriesColors colors_;
    QueryRunner runner_;
    QueryPlanner planner_;
    std::shared_ptr<const store::PublishedTrace> trace_;
    std::shared_ptr<analysis::FrameLabels> labels_;
    bool loading_ = false;
    std::array<bool, 3> greeted_{}; ///< by table
    GroupedTableModel* model_;
    ZoomActions* zoom_;
    QActionGroup* choices_;
    QTabBar* tabs_;
    FilterBar* filter_;
    MessageStrip* message_;
    SeriesLegendView* legend_;
    TimelineView* timeline_;
    GroupedTableView* table_;
};

} // namespace highwater::ui
