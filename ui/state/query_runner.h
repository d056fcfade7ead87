#pragma once

#include "core/analysis/memory_timeline.h"
#include "ui/state/query_lane.h"
#include "ui/state/table_answer.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>

namespace highwater::ui {

struct TimelineRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::TimelineQuery query;
};

/// The lines of a graph, with the question they answer.
struct TimelineAnswer {
    analysis::TimelineQuery query;
    analysis::Timeline timeline;
};

/// Rows of an answer that are to be opened.
struct OpenRequest {
    static constexpr std::size_t kNoLimit = ~std::size_t{0};
    std::shared_ptr<const TableAnswer> answer;
    OpenWish wish;
    std::size_t limit = kNoLimit;     ///< of OpenMode::Levels: above it the rows are counted, not opened
    std::size_t countUpTo = kNoLimit; ///< counting ends here
};

/// What the workers run; tests put their own in front to watch.
struct QueryFunctions {
    std::function<Result<std::shared_ptr<const TableAnswer>>(const TableRequest&, std::stop_token)> table = answerTable;
    std::function<Result<analysis::Timeline>(const TimelineRequest&, std::stop_token)> timeline;
    QueryFunctions();
};

/// Asks the analysis on worker threads and brings the answers to the GUI thread. Of each kind of question the newest
/// wins; the old answer stays with whoever shows it until the new one is there. GUI thread only.
class QueryRunner : public QObject {
    Q_OBJECT
  public:
    explicit QueryRunner(QObject* parent = nullptr, QueryFunctions functions = {});
    ~QueryRunner() override;

    void askTable(TableRequest request, Urgency urgency = Urgency::Now) { tables_.ask(std::move(request), urgency); }
    void askTimeline(TimelineRequest request, Urgency urgency = Urgency::Now) {
        timelines_.ask(std::move(request), urgency);
    }
    /// The totals of an interval: a table query without keys.
    void askTotals(TableRequest request, Urgency urgency = Urgency::Now) { totals_.ask(std::move(request), urgency); }
    /// Opens of one answer do not cancel each other; opens of an older answer are given up when a new one arrives.
    void open(OpenRequest request);
    void cancelOpens();
    void cancelAll();
    [[nodiscard]] bool isBusy() const;

  signals:
    void tableAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void timelineAnswered(std::shared_ptr<const highwater::ui::TimelineAnswer> answer);
    void totalsAnswered(std::shared_ptr<const highwater::ui::TableAnswer> answer);
    void opened(const highwater::ui::OpenRequest& request, std::shared_ptr<const highwater::ui::TableRow> row);
    /// Instead of opened(): more than request.limit, at most request.countUpTo + 1.
    void tooMany(const highwater::ui::OpenRequest& request, std::size_t rows);
    /// A question that makes no sense to the analysis; never for cancelled ones.
    void failed(const QString& sentence);

  private:
    void deliverTable(Result<std::shared_ptr<const TableAnswer>> answer);
    void deliverTimeline(const TimelineRequest& request, Result<analysis::Timeline> timeline);
    void report(const Error& error);
    void openOnWorker(const OpenRequest& request, const std::stop_token& stop);

    QThreadPool pool_;
    QueryFunctions functions_;
    QueryLane<TableRequest, std::shared_ptr<const TableAnswer>> tables_;
    QueryLane<TableRequest, std::shared_ptr<const TableAnswer>> totals_;
    QueryLane<TimelineRequest, analysis::Timeline> timelines_;
    std::stop_source opensStop_;
};

} // namespace highwater::ui
