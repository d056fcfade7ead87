#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/query_runner.h"

#include <QWidget>

#include <memory>
#include <vector>

class QSplitter;

namespace highwater::ui {

class GraphPanel;
class SeriesColors;
class ZoomActions;

/// One analysis of one trace (a tab): graphs below each other that share the time axis. GUI thread only.
class AnalysisView : public QWidget {
    Q_OBJECT
  public:
    /// `colors` must outlive it.
    explicit AnalysisView(SeriesColors& colors, QWidget* parent = nullptr, QueryFunctions functions = {});
    ~AnalysisView() override;

    /// A new trace, when the labels are other ones; else more of the same.
    void setTrace(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    void clearTrace();
    void setLoading(bool loading);

    [[nodiscard]] AnalysisState& state() { return *state_; }
    /// In the order on screen.
    [[nodiscard]] std::vector<GraphPanel*> panels() const;
    /// The graph that has, or last had, the focus; null when there is none.
    [[nodiscard]] GraphPanel* currentPanel() const { return current_; }
    /// Adds the graph, or, if it is there already, makes it the current one.
    GraphPanel& showGraph(analysis::Table table);
    [[nodiscard]] QList<QAction*> zoomActions() const;
    /// Every graph shows what the states ask for, all of the trace that was set.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void currentPanelChanged();

  private:
    void build();
    void followGraphs();
    GraphPanel* makePanel(GraphState& graph);
    void makeCurrent(GraphPanel* panel);
    void noteFocus(QWidget* now);

    std::unique_ptr<AnalysisState> state_;
    SeriesColors& colors_;
    QueryFunctions functions_;
    std::shared_ptr<const store::PublishedTrace> trace_;
    std::shared_ptr<analysis::FrameLabels> labels_;
    bool loading_ = false;
    ZoomActions* zoom_;
    QSplitter* splitter_;
    GraphPanel* current_ = nullptr;
};

} // namespace highwater::ui
