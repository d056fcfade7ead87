#pragma once

#include "core/analysis/difference/difference.h"
#include "ui/state/finders/flame_finder.h"
#include "ui/state/query_lane.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::ui {

/// A row of a difference; the first row of an answer is the total.
struct DifferenceRow {
    std::string text;
    analysis::Column column = analysis::Column::Process;
    analysis::DifferenceState state = analysis::DifferenceState::Same;
    analysis::Change change; ///< values of the deciding measure
    analysis::Change count;
    analysis::Difference::NodeId node = 0;
    std::uint32_t parent = 0;
    std::uint32_t place = 0; ///< index in the parent
    std::vector<std::uint32_t> children{};
};

/// Immutable.
struct DifferenceAnswer {
    analysis::Table table = analysis::Table::Heap;
    analysis::Measure decides = analysis::Measure::Outstanding;
    std::vector<DifferenceRow> rows; ///< not empty
    bool isCut = false;              ///< some rows were left out
    std::vector<std::string> notes;  ///< sentences
    std::vector<analysis::SuggestedRename> suggestions;
    std::shared_ptr<analysis::Difference> all; ///< used only by the worker
};

/// More rows than users read. Rows are added level by level, so those near the root are included.
inline constexpr std::size_t kMostDifferenceRows = 20'000;
/// Slices of lines, more than the visible resolution.
inline constexpr std::uint32_t kDifferenceSlices = 400;
[[nodiscard]] Result<DifferenceAnswer> answerDifference(const analysis::DifferenceQuery& query, std::stop_token stop);

/// A query for the rows of a trace behind a row of an answer.
struct DifferencePathsRequest {
    std::shared_ptr<const DifferenceAnswer> answer;
    std::uint32_t row = 0;
    bool isToFilter = false; ///< the action to perform
};

/// The outstanding bytes of some rows over time on both sides.
struct DifferenceLines {
    std::shared_ptr<const DifferenceAnswer> answer;
    std::vector<std::uint32_t> rows; ///< nested rows count once
    analysis::DifferenceTimeline timeline = {};
};
/// An answer as a flame graph.
struct DifferenceFlames {
    std::shared_ptr<const DifferenceAnswer> answer;
    std::shared_ptr<const FlameAnswer> flames = nullptr; ///< measure: Count, or Size for byte measures
};

using DifferenceFunction = std::function<Result<DifferenceAnswer>(const analysis::DifferenceQuery&, std::stop_token)>;

/// Computes differences on a worker and delivers the newest answer to the GUI thread, to which it belongs.
class DifferenceFinder : public QObject {
    Q_OBJECT
  public:
    explicit DifferenceFinder(QObject* parent = nullptr, DifferenceFunction find = answerDifference);
    ~DifferenceFinder() override;

    void ask(analysis::DifferenceQuery query) { lane_.ask(std::move(query), Urgency::Now); }
    /// The rows of the first later trace.
    void askPaths(DifferencePathsRequest request) { paths_.ask(std::move(request), Urgency::Now); }
    /// `lines` has no timeline yet.
    void askLines(DifferenceLines lines) { lines_.ask(std::move(lines), Urgency::Now); }
    void askFlames(std::shared_ptr<const DifferenceAnswer> answer) { flames_.ask({std::move(answer)}, Urgency::Now); }
    /// The search text in a flame graph.
    void search(FlameSearch search) { searches_.ask(std::move(search), Urgency::Now); }
    void cancel();
    [[nodiscard]] bool isBusy() const {
        return lane_.isBusy() || paths_.isBusy() || lines_.isBusy() || flames_.isBusy() || searches_.isBusy();
    }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::DifferenceAnswer> answer);
    void pathsAnswered(const highwater::ui::DifferencePathsRequest& request,
                       const std::vector<highwater::analysis::KeyPath>& paths);
    void linesAnswered(const highwater::ui::DifferenceLines& lines);
    void flamesAnswered(const highwater::ui::DifferenceFlames& flames);
    void searchDone(std::shared_ptr<const highwater::ui::FlameSearch> search);
    /// Not emitted for cancelled questions.
    void failed(const QString& sentence);

  private:
    QueryPools pools_; ///< one thread, because paths and differences are answered by the same object
    QueryLane<analysis::DifferenceQuery, DifferenceAnswer> lane_;
    QueryLane<DifferencePathsRequest, std::vector<analysis::KeyPath>> paths_;
    QueryLane<DifferenceLines, analysis::DifferenceTimeline> lines_;
    QueryLane<DifferenceFlames, FlameAnswer> flames_;
    QueryLane<FlameSearch, FlameSearch> searches_;
};

} // namespace highwater::ui
