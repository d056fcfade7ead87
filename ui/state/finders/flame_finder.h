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

/// Never changes.
struct FlameAnswer {
    analysis::FlameQuery query;
    analysis::FlameTree tree;
};

/// Which frames have some words in them.
struct FlameSearch {
    std::shared_ptr<const FlameAnswer> answer;
    QString text;
    analysis::FlameMatches matches = {};
};

using FlameFunction = std::function<Result<FlameAnswer>(const FlameRequest&, std::stop_token)>;
[[nodiscard]] Result<FlameAnswer> answerFlames(const FlameRequest& request, std::stop_token stop);

/// `asked` with its matches.
[[nodiscard]] Result<FlameSearch> searchFlames(const FlameSearch& asked, const std::stop_token& stop);

/// Asks for the flame graph of a graph while that is what is shown of it: whenever what it shows, its analysis or the
/// trace changes, once per turn of the event loop, on a worker. The old answer stays until the new one is there. GUI
/// thread only.
class FlameFinder : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it.
    FlameFinder(GraphState& graph, const TraceOnScreen& shown, QObject* parent = nullptr,
                FlameFunction find = answerFlames);
    ~FlameFinder() override;

    /// What is to be shown now.
    [[nodiscard]] analysis::FlameQuery query() const;
    /// Null: none yet.
    [[nodiscard]] const std::shared_ptr<const FlameAnswer>& answer() const { return answer_; }
    /// It is what query() asks for.
    [[nodiscard]] bool isUpToDate() const;
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }

    /// Whether it is compared with the time before: as long as what is visible, as far as the trace goes back.
    /// An instant is not.
    void setComparing(bool comparing);
    [[nodiscard]] bool isComparing() const { return isComparing_; }
    /// What is looked for in it, and in the answers to come; empty: nothing.
    void search(const QString& text);
    [[nodiscard]] const QString& searched() const { return text_; }

  signals:
    void busyChanged(bool busy);
    /// Null: of a new trace there is none yet.
    void answered(std::shared_ptr<const highwater::ui::FlameAnswer> answer);
    /// Null: nothing is looked for.
    void searchDone(std::shared_ptr<const highwater::ui::FlameSearch> search);
    /// Never for questions that were cancelled.
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
    std::shared_ptr<const store::PublishedTrace> asked_; ///< of which trace the question that was asked last was
    bool areNamesNew_ = false;
    QString text_;
    bool isComparing_ = false;
    bool isPlanned_ = false;
    Urgency urgency_ = Urgency::WhenIdle;
};

} // namespace highwater::ui
