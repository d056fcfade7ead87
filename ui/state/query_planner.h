#pragma once

#include "ui/state/query_runner.h"
#include "ui/state/view_state.h"

#include <QObject>

#include <functional>
#include <memory>

namespace highwater::ui {

/// Turns what a view looks at into questions: whenever the view state or the trace changes, asks the runner what has to
/// be asked again, once per turn of the event loop. The table follows the zoom, the graph follows the filter.
/// GUI thread only.
class QueryPlanner : public QObject {
    Q_OBJECT
  public:
    /// Lines of a graph; the rest is one line "(N more)".
    static constexpr std::uint32_t kMaxSeries = 8;

    QueryPlanner(ViewState& state, QueryRunner& runner, QObject* parent = nullptr);

    /// A new trace, or more of the same one (`labels` tells): that only asks when the runner is idle.
    void setTrace(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    void clearTrace();
    /// Where to ask which rows the reader has open.
    void setExpandedPaths(std::function<std::vector<analysis::KeyPath>()> expandedPaths);
    /// One slice of the timeline per pixel.
    void setTimelinePoints(int points);

  private:
    void connectState();
    void plan(ViewState::Changes changes, Urgency urgency);
    void ask();
    void askTable();
    void askTimeline();
    void askTotalsOfSelection();

    ViewState& state_;
    QueryRunner& runner_;
    std::shared_ptr<const store::PublishedTrace> trace_;
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::function<std::vector<analysis::KeyPath>()> expandedPaths_;
    std::uint32_t points_ = 1000;
    ViewState::Changes pending_;
    Urgency urgency_ = Urgency::WhenIdle;
    bool planned_ = false;
};

} // namespace highwater::ui
