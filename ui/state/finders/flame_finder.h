#pragma once

#include "core/analysis/flames/flame_search.h"
#include "core/analysis/flames/flames.h"
#include "ui/state/graph_state.h"
#include "ui/state/query_lane.h"
#include "ui/state/trace_on_screen.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <stop_token>

namespace highwater::ui {

struct FlameRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::FlameQuery query;
};

/// Immutable.
struct FlameAnswer {
    analysis::FlameQuery query;
    analysis::FlameTree tree;
};

/// Frames that contain a text.
struct FlameSearch {
    std::shared_ptr<const FlameAnswer> answer;
    QString text;
    analysis::FlameMatches matches = {};
};

using FlameFunction = std::function<Result<FlameAnswer>(const FlameRequest&, std::stop_token)>;
[[nodiscard]] Result<FlameAnswer> answerFlames(const FlameRequest& request, std::stop_token stop);

/// Returns `asked` with its matches.
[[nodiscard]] Result<FlameSearch> searchFlames(const FlameSearch& asked, const std::stop_token& stop);

/// Queries the flame graph of a graph while it is shown: on a worker, once per event loop turn when the graph, its
/// analysis or the trace changes. The old answer stays until the new one arrives. GUI thread only.
class FlameFinder : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    FlameFinder(GraphState& graph, const TraceOnScreen& shown, QObject* parent = nullptr,
                FlameFunction find = answerFlames);
    ~FlameFinder() override;

    /// The query for the current state.
    [[nodiscard]] analysis::FlameQuery query() const;
    /// Null: no answer yet.
    [[nodiscard]] const std::shared_ptr<const FlameAnswer>& answer() const { return answer_; }
    /// Whether the answer matches query().
    [[nodiscard]] bool isUpToDate() const;
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }

    /// Whether to compare with the preceding interval: as long as the visible one, limited by the start of the trace.
    /// Not for an instant.
    void setComparing(bool comparing);
    [[nodiscard]] bool isComparing() const { return isComparing_; }
    /// Text to search for in this answer and later ones; empty: no search.
    void search(const QString& text);
    [[nodiscard]] const QString& searched() const { return text_; }

  signals:
    void busyChanged(bool busy);
    /// Null: a new trace has no answer yet.
    void answered(std::shared_ptr<const highwater::ui::FlameAnswer> answer);
    /// Null: no search.
    void searchDone(std::shared_ptr<const highwater::ui::FlameSearch> search);
    /// Not emitted for cancelled queries.
    void failed(const QString& sentence);
    void comparingChanged();

  private:
    void connectStates();
    void follow(TraceOnScreen::Changes changes);
    void plan(Urgency urgency);
    void ask();
    void take(Result<FlameAnswer> answer);
    void forget();
    [[nodiscard]] bool isShown() const { return isFlames(graph_.chart()); }

    GraphState& graph_;
    const TraceOnScreen& shown_;
    QueryPools pools_;
    QueryLane<FlameRequest, FlameAnswer> lane_;
    QueryLane<FlameSearch, FlameSearch> searches_;
    std::shared_ptr<const FlameAnswer> answer_;
    std::shared_ptr<const store::PublishedTrace> asked_; ///< trace of the last query
    bool areNamesNew_ = false;
    QString text_;
    bool isComparing_ = false;
    bool isPlanned_ = false;
    Urgency urgency_ = Urgency::WhenIdle;
};

} // namespace highwater::ui
