#pragma once

#include "ui/state/finders/flame_finder.h"
#include "ui/state/graph_state.h"
#include "ui/state/query_planner.h"
#include "ui/state/query_runner.h"
#include "ui/state/table_finder.h"
#include "ui/state/trace_on_screen.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QSplitter;

namespace highwater::ui {

class FilterBar;
class FindBar;
class FlameView;
class FrameToolTip;
class GraphHeader;
class GroupedTableModel;
class GroupedTableView;
class MessageStrip;
class SeriesColors;
class SeriesLegendView;
struct SelectionAmount;
class TableWork;
class TimelineView;
class ZoomActions;

/// One graph of an analysis: its header, legend and timeline, below them the filter and the table. Brings the answers
/// to its questions on screen. Graph state, trace, colours and actions must outlive it. GUI thread only.
class GraphPanel : public QWidget {
    Q_OBJECT
  public:
    GraphPanel(GraphState& graph, const TraceOnScreen& shown, SeriesColors& colors, ZoomActions& zoom,
               const QueryFunctions& functions, QWidget* parent = nullptr);
    ~GraphPanel() override;

    /// To its table, else to its graph.
    void takeFocus();

    [[nodiscard]] GraphState& graph() { return graph_; }
    [[nodiscard]] QueryRunner& runner() { return runner_; }
    [[nodiscard]] QueryPlanner& planner() { return planner_; }
    [[nodiscard]] GroupedTableModel& model() { return *model_; }
    [[nodiscard]] GroupedTableView& table() { return *table_; }
    [[nodiscard]] FindBar& findBar() { return *find_; }
    [[nodiscard]] TableWork& work() { return *work_; }
    [[nodiscard]] FrameToolTip& toolTip() { return *toolTip_; }
    /// What of it can be written to a file.
    [[nodiscard]] QList<QAction*> exportActions() const;
    [[nodiscard]] TimelineView& timeline() { return *timeline_; }
    [[nodiscard]] FlameView& flames() { return *flames_; }
    [[nodiscard]] FlameFinder& flameFinder() { return flameFinder_; }
    [[nodiscard]] SeriesLegendView& legend() { return *legend_; }
    [[nodiscard]] GraphHeader& header() { return *header_; }
    /// The whole table's row of totals, and the timeline, are what the states ask for, all of the trace that was set.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void closeWanted();
    /// What it is asked for has functions in it.
    void namesWanted();
    void selectionMeasured(const highwater::ui::SelectionAmount& amount);

  private:
    void build();
    void shareKeys();
    void connectStates();
    void follow(TraceOnScreen::Changes changes);
    void forgetTrace();
    void followLoading();
    void connectAnswers();
    void connectTimeline();
    void connectFlames();
    void connectFind();
    void connectNames();
    void askForNames();
    void showParts();
    void showChart();
    void showTable(std::shared_ptr<const TableAnswer> answer);
    void showTimeline(std::shared_ptr<const TimelineAnswer> answer);
    void showPainted(std::shared_ptr<const PaintedAnswer> painted);
    void refreshColors();
    void showTotals(const TableAnswer& answer);
    [[nodiscard]] bool isTableOld() const;
    [[nodiscard]] bool isTimelineUpToDate() const;
    void watchAge();
    void tellAge();
    void renameFilter();
    void explainEmptyGraph();
    void explainEmptyTable();
    enum class Names { AsBefore, New };
    void greet(Names names);

    GraphState& graph_;
    const TraceOnScreen& shown_;
    SeriesColors& colors_;
    QueryRunner runner_;
    QueryPlanner planner_;
    TableFinder finder_;
    FlameFinder flameFinder_;
    bool greeted_ = false;
    std::uint64_t greetedAt_ = 0; ///< keptVersion() of the table once the path of greet() was open
    QTimer age_; ///< runs while the table is old and nobody was told yet
    GraphHeader* header_;
    GroupedTableModel* model_;
    FilterBar* filter_;
    FindBar* find_;
    MessageStrip* message_;
    MessageStrip* workStrip_;
    SeriesLegendView* legend_;
    QString refusal_; ///< why what the graph asked for last has no answer; empty: it has one
    TimelineView* timeline_;
    FlameView* flames_;
    GroupedTableView* table_;
    TableWork* work_;
    FrameToolTip* toolTip_;
    QSplitter* graphHalf_ = nullptr;
    QWidget* tableHalf_ = nullptr;
};

} // namespace highwater::ui
