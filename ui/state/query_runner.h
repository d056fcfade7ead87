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

/// Rows of an answer that are to be opened.
struct OpenRequest {
    static constexpr std::size_t kNoLimit = ~std::size_t{0};
    std::shared_ptr<const TableAnswer> answer;
    ExpandRequest expansion;
    std::size_t limit = kNoLimit;     ///< of OpenMode::Levels: above it the rows are counted, not opened
    std::size_t countUpTo = kNoLimit; ///< counting ends here
};

/// What the workers run; tests put their own in front to watch.
struct QueryFunctions {
    std::function<Result<std::shared_ptr<const TableAnswer>>(const TableRequest&, std::stop_token)> table =
        answerTableOrKnown;
    std::function<Result<std::shared_ptr<const TableAnswer>>(const RowsRequest&, std::stop_token)> rows = answerRows;
    std::function<Result<TimelineAnswer>(const TimelineRequest&, std::stop_token)> timeline = answerTimelineOrKnown;
    std::function<Result<std::optional<TimelineAnswer>>(const TimelineRequest&, std::stop_token)> coarse =
        answerCoarselyUnlessKnown;
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

/// Asks the analysis on worker threads and brings the answers to the GUI thread. Of each kind of question the newest
/// wins; the old answer stays with whoever shows it until the new one is there. GUI thread only.
class QueryRunner : public QObject {
    Q_OBJECT
  public:
    explicit QueryRunner(QObject* parent = nullptr, QueryFunctions functions = {});
    ~QueryRunner() override;

    /// Of a turn of the event loop the lines are asked for before: rough ones go first.
    void askTable(TableRequest request, Urgency urgency = Urgency::Now);
    /// An answer once more, for the rows that its reader keeps by now; given up when another answer arrives.
    void askRows(RowsRequest request) { rows_.ask(std::move(request), Urgency::Now); }
    /// Where someone waits for it, and it takes longer than kCoarseAfterMs, coarseTimelineAnswered() comes before.
    void askTimeline(TimelineRequest request, Urgency urgency = Urgency::Now);
    /// A coarse answer is to be on screen within 50 ms; where the exact one comes sooner nothing is to flicker. It is
    /// there before, as exact ones and tables give it a head start, and is held back until then.
    static constexpr int kCoarseAfterMs = 20;
    /// What the selected rows hold over time.
    void askPainted(PaintedRequest request, Urgency urgency = Urgency::Now) {
        painted_.ask(std::move(request), urgency);
    }
    /// Nothing is painted any more: an answer that is under way is not wanted.
    void cancelPainted() { painted_.cancel(); }
    /// Which row is meant by a place of the graph.
    void askRowAt(RowAtRequest request) { rowsAt_.ask(std::move(request), Urgency::Now); }
    /// A match in the table, or how many there are.
    void askFind(FindRequest request, Urgency urgency) { finds_.ask(std::move(request), urgency); }
    void cancelFind() { finds_.cancel(); }
    /// What else is known of a row that someone points at.
    void askFacts(FactsRequest request) { facts_.ask(std::move(request), Urgency::Now); }
    void cancelFacts() { facts_.cancel(); }
    /// The totals of an interval: a table query without keys.
    void askTotals(TableRequest request, Urgency urgency = Urgency::Now) { totals_.ask(std::move(request), urgency); }
    /// Opens of one answer do not cancel each other; opens of an older answer are given up when a new one arrives.
    void open(OpenRequest request);
    void cancelOpens();
    void cancelAll();
    [[nodiscard]] bool isBusy() const;

  signals:
    /// A question is being answered, or none is any more.
    void busyChanged(bool busy);
    void tableAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void rowsAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void timelineAnswered(std::shared_ptr<const highwater::ui::TimelineAnswer> answer);
    /// Instead of it, before failed(): there is none, such as where the file of the trace tells no times.
    void timelineRefused(const QString& sentence);
    /// Of the question that is being answered, which goes on.
    void coarseTimelineAnswered(std::shared_ptr<const highwater::ui::TimelineAnswer> answer);
    void totalsAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void opened(const highwater::ui::OpenRequest& request, std::shared_ptr<const highwater::ui::TableRow> row);
    /// Instead of opened(): more than request.limit, at most request.countUpTo + 1.
    void tooMany(const highwater::ui::OpenRequest& request, std::size_t rows);
    void paintedAnswered(std::shared_ptr<const highwater::ui::PaintedAnswer> answer);
    /// Empty: there is none.
    void rowFound(const highwater::analysis::KeyPath& path);
    /// Also with nothing, when it failed.
    void findAnswered(const highwater::ui::FindRequest& request, const highwater::ui::FindAnswer& answer);
    void factsAnswered(const highwater::ui::FactsRequest& request, const QStringList& lines);
    /// A question that makes no sense to the analysis; never for cancelled ones.
    void failed(const QString& sentence);

  private:
    void deliverTable(Result<std::shared_ptr<const TableAnswer>> answer);
    void deliverTimeline(Result<TimelineAnswer> answer);
    void deliverCoarse(Result<std::optional<TimelineAnswer>> answer);
    void forgetCoarse();
    void deliverPainted(Result<PaintedAnswer> answer);
    void deliverFind(const FindRequest& request, const Result<FindAnswer>& answer);
    void report(const Error& error);
    /// Returns what to tell on the GUI thread; nothing: nothing.
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
    std::shared_ptr<HeadStart> headStart_;             ///< of the coarse answer that was asked for last
    std::shared_ptr<const TimelineAnswer> heldCoarse_; ///< to be told when the timer ends
    QTimer coarseTimer_;
    std::stop_source opensStop_;
    int opens_ = 0; ///< under way
    bool wasBusy_ = false;
};

} // namespace highwater::ui
