#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 wrongly reports the error of a moved std::variant.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "ui/state/query_runner.h"

#include "core/base/within_memory.h"

#include <utility>

namespace highwater::ui {

QueryRunner::QueryRunner(QObject* parent, QueryFunctions functions)
    : QObject(parent),
      functions_(std::move(functions)),
      tables_(*this, pools_, functions_.table, [this](const auto&, auto answer) { deliverTable(std::move(answer)); }),
      rows_(*this, pools_, functions_.rows,
            [this](const RowsRequest& request, auto answer) {
                emit rowsAnswered(answer.hasValue() ? answer.value() : request.answer);
            }),
      totals_(*this, pools_, functions_.table,
              [this](const auto&, auto answer) {
                  if (answer.hasValue()) emit totalsAnswered(answer.value());
              }),
      timelines_(*this, pools_, functions_.timeline,
                 [this](const auto&, auto answer) { deliverTimeline(std::move(answer)); }),
      coarse_(*this, pools_, functions_.coarse, [this](const auto&, auto answer) { deliverCoarse(std::move(answer)); }),
      painted_(*this, pools_, functions_.painted,
               [this](const auto&, auto answer) { deliverPainted(std::move(answer)); }),
      rowsAt_(*this, pools_, functions_.rowAt,
              [this](const auto&, auto path) {
                  if (path.hasValue()) emit rowFound(path.value());
              }),
      finds_(*this, pools_, functions_.find,
             [this](const auto& request, const auto& answer) { deliverFind(request, answer); }),
      facts_(*this, pools_, functions_.facts, [this](const auto& request, const auto& lines) {
          if (lines.hasValue()) emit factsAnswered(request, lines.value());
      }) {
    // Nine kinds of queries and one being cancelled must not wait for each other.
    pools_.setMaxThreadCount(10);
    tables_.onBusyChange([this] { noteBusy(); });
    rows_.onBusyChange([this] { noteBusy(); });
    totals_.onBusyChange([this] { noteBusy(); });
    timelines_.onBusyChange([this] { noteBusy(); });
    coarseTimer_.setSingleShot(true);
    coarseTimer_.setTimerType(Qt::PreciseTimer);
    coarseTimer_.setInterval(kCoarseAfterMs);
    connect(&coarseTimer_, &QTimer::timeout, this, [this] {
        if (heldCoarse_) emit coarseTimelineAnswered(std::exchange(heldCoarse_, nullptr));
    });
}

QueryRunner::~QueryRunner() {
    // Receivers may also be in destruction.
    blockSignals(true);
    cancelAll();
    pools_.waitForDone();
}

void QueryRunner::cancelAll() {
    tables_.cancel();
    rows_.cancel();
    totals_.cancel();
    timelines_.cancel();
    forgetCoarse();
    painted_.cancel();
    rowsAt_.cancel();
    finds_.cancel();
    facts_.cancel();
    cancelOpens();
}

bool QueryRunner::isBusy() const {
    return tables_.isBusy() || rows_.isBusy() || totals_.isBusy() || timelines_.isBusy() || opens_ > 0;
}

void QueryRunner::cancelOpens() {
    opensStop_.request_stop();
    opensStop_ = std::stop_source();
    opens_ = 0;
    noteBusy();
}

void QueryRunner::noteBusy() {
    if (isBusy() != std::exchange(wasBusy_, isBusy())) emit busyChanged(wasBusy_);
}

void QueryRunner::open(OpenRequest request) {
    ++opens_;
    noteBusy();
    pools_.now.start([this, request = std::move(request), stop = opensStop_.get_token()] {
        auto opened = withinMemory([&]() -> Result<std::function<void()>> { return openOnWorker(request, stop); });
        if (!opened.hasValue()) opened = std::function<void()>([this, error = opened.error()] { report(error); });
        const auto finish = [this, stop, tell = std::move(opened).value()] {
            if (tell) tell(); // the query may open more: busy until it is answered
            if (stop.stop_requested()) return;
            --opens_;
            noteBusy();
        };
        QMetaObject::invokeMethod(this, finish, Qt::QueuedConnection);
    });
}

std::function<void()> QueryRunner::openOnWorker(const OpenRequest& request, const std::stop_token& stop) {
    if (request.limit != OpenRequest::kNoLimit) {
        const auto count = functions_.count(*request.answer, request.expansion, request.countUpTo, stop);
        if (!count.hasValue()) return {};
        if (const auto rows = count.value(); rows > request.limit)
            return [this, request, rows] { emit tooMany(request, rows); };
    }
    auto opened = functions_.open(*request.answer, request.expansion, stop);
    if (!opened.hasValue()) return {};
    auto row = std::make_shared<const TableRow>(std::move(opened.value()));
    return [this, request, row] { emit this->opened(request, row); };
}

void QueryRunner::deliverTable(Result<std::shared_ptr<const TableAnswer>> answer) {
    if (!answer.hasValue()) return report(answer.error());
    rows_.cancel();
    emit tableAnswered(answer.value());
}

void QueryRunner::askTable(TableRequest request, Urgency urgency) {
    tables_.ask(std::move(request), urgency, {.after = urgency == Urgency::Now ? headStart_ : nullptr});
}

void QueryRunner::askTimeline(TimelineRequest request, Urgency urgency) {
    // Without a waiting user, the current lines are better: they are an exact answer to almost the same query.
    if (urgency != Urgency::Now) return timelines_.ask(std::move(request), urgency);
    forgetCoarse();
    headStart_ = std::make_shared<HeadStart>();
    coarse_.ask(request, urgency, {.isFirst = headStart_});
    coarseTimer_.start();
    timelines_.ask(std::move(request), urgency, {.after = headStart_});
}

void QueryRunner::forgetCoarse() {
    headStart_.reset();
    heldCoarse_.reset();
    coarseTimer_.stop();
    coarse_.cancel();
}

void QueryRunner::deliverCoarse(Result<std::optional<TimelineAnswer>> answer) {
    if (!answer.hasValue()) return report(answer.error());
    if (!answer.value()) return;
    heldCoarse_ = std::make_shared<const TimelineAnswer>(*std::move(answer).value());
    if (!coarseTimer_.isActive()) emit coarseTimelineAnswered(std::exchange(heldCoarse_, nullptr));
}

void QueryRunner::deliverTimeline(Result<TimelineAnswer> answer) {
    forgetCoarse();
    if (!answer.hasValue()) {
        if (answer.error().kind != ErrorKind::Cancelled)
            emit timelineRefused(QString::fromStdString(answer.error().message));
        return report(answer.error());
    }
    emit timelineAnswered(std::make_shared<const TimelineAnswer>(std::move(answer).value()));
}

void QueryRunner::deliverPainted(Result<PaintedAnswer> answer) {
    if (!answer.hasValue()) return report(answer.error());
    emit paintedAnswered(std::make_shared<const PaintedAnswer>(std::move(answer).value()));
}

void QueryRunner::deliverFind(const FindRequest& request, const Result<FindAnswer>& answer) {
    if (!answer.hasValue()) report(answer.error());
    emit findAnswered(request, answer.hasValue() ? answer.value() : FindAnswer{});
}

void QueryRunner::report(const Error& error) {
    if (error.kind != ErrorKind::Cancelled) emit failed(QString::fromStdString(error.message));
}

} // namespace highwater::ui

#include "moc_query_runner.cpp"
