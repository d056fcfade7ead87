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
#include <optional>

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

/// A graph of an analysis: header, legend and timeline, with the filter and the table below. Shows the answers to its
/// queries. Graph state, trace, colours and actions must outlive it. GUI thread only.
class GraphPanel : public QWidget {
    Q_OBJECT
  public:
    GraphPanel(GraphState& graph, const TraceOnScreen& shown, SeriesColors& colors, ZoomActions& zoom,
               const QueryFunctions& functions, QWidget* parent = nullptr);
    ~GraphPanel() override;

    /// To its table, otherwise to its graph.
    void takeFocus();

    [[nodiscard]] GraphState& graph() { return graph_; }
    [[nodiscard]] QueryRunner& runner() { return runner_; }
    [[nodiscard]] QueryPlanner& planner() { return planner_; }
    [[nodiscard]] GroupedTableModel& model() { return *model_; }
    [[nodiscard]] GroupedTableView& table() { return *table_; }
    /// Opens and selects saved rows instead of the path that a table opens by itself.
    void adoptRows(const RowViewState& kept);
    [[nodiscard]] FindBar& findBar() { return *find_; }
    [[nodiscard]] TableWork& work() { return *work_; }
    [[nodiscard]] FrameToolTip& toolTip() { return *toolTip_; }
    /// Actions that export it to a file.
    [[nodiscard]] QList<QAction*> exportActions() const;
    [[nodiscard]] TimelineView& timeline() { return *timeline_; }
    [[nodiscard]] FlameView& flames() { return *flames_; }
    [[nodiscard]] FlameFinder& flameFinder() { return flameFinder_; }
    [[nodiscard]] SeriesLegendView& legend() { return *legend_; }
    [[nodiscard]] GraphHeader& header() { return *header_; }
    /// Whether the table's totals and the timeline are up to date with the states and the current trace.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void closeWanted();
    /// A query depends on function names.
    void namesWanted();
    void selectionMeasured(const highwater::ui::SelectionAmount& amount);

  private:
    void build();
    void shareKeys();
    void connectStates();
    void follow(TraceOnScreen::Changes changes);
    void forgetTrace();
    void followLoading();
    void confirmPicture(const QString& path);
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
    void showAge();
    void renameFilter();
    void explainEmptyGraph();
    void explainEmptyTable();
    void explainEmptyColumns();
    enum class Names { AsBefore, New };
    void greet(Names names);
    void showGreeting(const ExpandRequest& expansion, const TableRow& row);

    GraphState& graph_;
    const TraceOnScreen& shown_;
    SeriesColors& colors_;
    QueryRunner runner_;
    QueryPlanner planner_;
    TableFinder finder_;
    FlameFinder flameFinder_;
    static constexpr std::uint64_t kTouched = 0; ///< before any version of a table with open rows
    std::optional<std::uint64_t> greetedAt_;     ///< keptVersion() of the table with the path of greet(), or kTouched
    QTimer age_;                                 ///< active while the table is out of date but not marked yet
    GraphHeader* header_;
    GroupedTableModel* model_;
    FilterBar* filter_;
    FindBar* find_;
    MessageStrip* message_;
    MessageStrip* workStrip_;
    SeriesLegendView* legend_;
    QString refusal_; ///< error of the graph's last query; empty: answered
    TimelineView* timeline_;
    FlameView* flames_;
    GroupedTableView* table_;
    TableWork* work_;
    FrameToolTip* toolTip_;
    QSplitter* graphHalf_ = nullptr;
    QWidget* tableHalf_ = nullptr;
};

} // namespace highwater::ui
