#pragma once

#include "ui/state/query_lane.h"
#include "ui/state/table/frame_facts.h"
#include "ui/state/table/row_at.h"
#include "ui/state/table/table_answer.h"
#include "ui/state/table/table_find.h"
#include "ui/state/table_sources.h"
#include "ui/state/timeline_answers.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace highwater::ui {

/// Rows of an answer to open.
struct OpenRequest {
    static constexpr std::size_t kNoLimit = ~std::size_t{0};
    std::shared_ptr<const TableAnswer> answer;
    ExpandRequest expansion;
    std::size_t limit = kNoLimit;     ///< for OpenMode::Levels: above it the rows are counted, not opened
    std::size_t countUpTo = kNoLimit; ///< limit for counting
};

/// Functions that the workers run; tests replace them to observe the calls.
struct QueryFunctions {
    std::function<Result<std::shared_ptr<const TableAnswer>>(const TableRequest&, std::stop_token)> table =
        answerTableCached;
    std::function<Result<std::shared_ptr<const TableAnswer>>(const RowsRequest&, std::stop_token)> rows = answerRows;
    std::function<Result<TimelineAnswer>(const TimelineRequest&, std::stop_token)> timeline = answerTimelineCached;
    std::function<Result<std::optional<TimelineAnswer>>(const TimelineRequest&, std::stop_token)> coarse =
        answerCoarselyUnlessCached;
    std::function<Result<PaintedAnswer>(const PaintedRequest&, std::stop_token)> painted = answerPainted;
    std::function<Result<analysis::KeyPath>(const RowAtRequest&, std::stop_token)> rowAt = findRowAt;
    std::function<Result<TableRow>(const TableAnswer&, const ExpandRequest&, std::stop_token)> open =
        [](const TableAnswer& answer, const ExpandRequest& expansion, std::stop_token stop) {
            return openRows(answer, expansion, std::move(stop));
        };
    std::function<Result<std::size_t>(const TableAnswer&, const ExpandRequest&, std::size_t, std::stop_token)> count =
        countRows;
    std::function<Result<FindAnswer>(const FindRequest&, std::stop_token)> find = answerFind;
    std::function<Result<QStringList>(const FactsRequest&, std::stop_token)> facts = answerFacts;
};

/// Runs analysis queries on worker threads and delivers the answers to the GUI thread. The newest query of each kind
/// wins; views show the old answer until the new one arrives. GUI thread only.
class QueryRunner : public QObject {
    Q_OBJECT
  public:
    explicit QueryRunner(QObject* parent = nullptr, QueryFunctions functions = {});
    ~QueryRunner() override;

    /// Call after askTimeline() in the same event loop turn, because rough lines go first.
    void askTable(TableRequest request, Urgency urgency = Urgency::Now);
    /// Repeats an answer for the user's current rows; cancelled when another answer arrives.
    void askRows(RowsRequest request) { rows_.ask(std::move(request), Urgency::Now); }
    /// If the user waits and the query takes longer than kCoarseAfterMs, coarseTimelineAnswered() is emitted first.
    void askTimeline(TimelineRequest request, Urgency urgency = Urgency::Now);
    /// A coarse answer should be on screen within 50 ms, but an exact one that arrives earlier should not cause
    /// flicker. The coarse answer is ready earlier, because exact ones and tables give it a head start, and is held
    /// back until this time.
    static constexpr int kCoarseAfterMs = 20;
    /// Values of the selected rows over time.
    void askPainted(PaintedRequest request, Urgency urgency = Urgency::Now) {
        painted_.ask(std::move(request), urgency);
    }
    /// Stops painting rows and discards a pending answer.
    void cancelPainted() { painted_.cancel(); }
    /// Finds the row at a place of the graph.
    void askRowAt(RowAtRequest request) { rowsAt_.ask(std::move(request), Urgency::Now); }
    /// Finds a match in the table, or counts the matches.
    void askFind(FindRequest request, Urgency urgency) { finds_.ask(std::move(request), urgency); }
    void cancelFind() { finds_.cancel(); }
    /// Further facts about the row under the pointer.
    void askFacts(FactsRequest request) { facts_.ask(std::move(request), Urgency::Now); }
    void cancelFacts() { facts_.cancel(); }
    /// Totals of an interval: a table query without keys.
    void askTotals(TableRequest request, Urgency urgency = Urgency::Now) { totals_.ask(std::move(request), urgency); }
    /// Opens of the same answer do not cancel each other; opens of an older answer are cancelled when a new one
    /// arrives.
    void open(OpenRequest request);
    void cancelOpens();
    void cancelAll();
    [[nodiscard]] bool isBusy() const;

  signals:
    /// A query has started, or the last one has ended.
    void busyChanged(bool busy);
    void tableAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void rowsAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void timelineAnswered(std::shared_ptr<const highwater::ui::TimelineAnswer> answer);
    /// Emitted before failed() if there is no timeline, for example because the trace file contains no times.
    void timelineRefused(const QString& sentence);
    /// Belongs to the running query, which continues.
    void coarseTimelineAnswered(std::shared_ptr<const highwater::ui::TimelineAnswer> answer);
    void totalsAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void opened(const highwater::ui::OpenRequest& request, std::shared_ptr<const highwater::ui::TableRow> row);
    /// Emitted instead of opened(): more than request.limit, at most request.countUpTo + 1.
    void tooMany(const highwater::ui::OpenRequest& request, std::size_t rows);
    void paintedAnswered(std::shared_ptr<const highwater::ui::PaintedAnswer> answer);
    /// Empty: no such row.
    void rowFound(const highwater::analysis::KeyPath& path);
    /// Also emitted with an empty answer after a failure.
    void findAnswered(const highwater::ui::FindRequest& request, const highwater::ui::FindAnswer& answer);
    void factsAnswered(const highwater::ui::FactsRequest& request, const QStringList& lines);
    /// The analysis rejected the query. Not emitted for cancelled queries.
    void failed(const QString& sentence);

  private:
    void deliverTable(Result<std::shared_ptr<const TableAnswer>> answer);
    void deliverTimeline(Result<TimelineAnswer> answer);
    void deliverCoarse(Result<std::optional<TimelineAnswer>> answer);
    void forgetCoarse();
    void deliverPainted(Result<PaintedAnswer> answer);
    void deliverFind(const FindRequest& request, const Result<FindAnswer>& answer);
    void report(const Error& error);
    /// Returns a function to call on the GUI thread, or nothing.
    std::function<void()> openOnWorker(const OpenRequest& request, const std::stop_token& stop);
    void noteBusy();

    QueryPools pools_;
    QueryFunctions functions_;
    QueryLane<TableRequest, std::shared_ptr<const TableAnswer>> tables_;
    QueryLane<RowsRequest, std::shared_ptr<const TableAnswer>> rows_;
    QueryLane<TableRequest, std::shared_ptr<const TableAnswer>> totals_;
    QueryLane<TimelineRequest, TimelineAnswer> timelines_;
    QueryLane<TimelineRequest, std::optional<TimelineAnswer>> coarse_;
    QueryLane<PaintedRequest, PaintedAnswer> painted_;
    QueryLane<RowAtRequest, analysis::KeyPath> rowsAt_;
    QueryLane<FindRequest, FindAnswer> finds_;
    QueryLane<FactsRequest, QStringList> facts_;
    std::shared_ptr<HeadStart> headStart_;             ///< for the last requested coarse answer
    std::shared_ptr<const TimelineAnswer> heldCoarse_; ///< to be delivered when the timer ends
    QTimer coarseTimer_;
    std::stop_source opensStop_;
    int opens_ = 0; ///< number of running opens
    bool wasBusy_ = false;
};

} // namespace highwater::ui
