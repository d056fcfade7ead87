#include "ui/state/finders/flame_finder.h"

#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/table/flame_layout.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {} // namespace

Result<FlameAnswer> answerFlames(const FlameRequest& request, std::stop_token stop) {
    auto tree = TRY(analysis::computeFlames(*request.trace, *request.labels, request.query, stop));
    return FlameAnswer{request.query, std::move(tree)};
}

Result<FlameSearch> searchFlames(const FlameSearch& asked, const std::stop_token& /*stop*/) {
    auto search = asked;
    search.matches = analysis::findInFlames(asked.answer->tree, asked.text.toStdString());
    return search;
}

FlameFinder::FlameFinder(GraphState& graph, const TraceOnScreen& shown, QObject* parent, FlameFunction find)
    : QObject(parent),
      graph_(graph),
      shown_(shown),
      lane_(*this, pools_, std::move(find),
            [this](const FlameRequest&, Result<FlameAnswer> answer) { take(std::move(answer)); }),
      searches_(*this, pools_, searchFlames, [this](const FlameSearch&, Result<FlameSearch> search) {
          if (search.hasValue()) emit searchDone(std::make_shared<const FlameSearch>(std::move(search).value()));
      }) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { emit busyChanged(lane_.isBusy()); });
    connectStates();
    plan(Urgency::Now);
}

FlameFinder::~FlameFinder() {
    lane_.cancel();
    searches_.cancel();
    pools_.waitForDone();
}

void FlameFinder::connectStates() {
    connect(&graph_.analysis(), &AnalysisState::changed, this, [this](auto changes) {
        const auto wanted =
            AnalysisState::Changes(AnalysisState::VisibleRange) | AnalysisState::Instant | AnalysisState::Options;
        // A growing trace must not interrupt a running query.
        if (changes & wanted) plan(changes.testFlag(AnalysisState::WholeRange) ? Urgency::WhenIdle : Urgency::Now);
    });
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        const auto wanted = GraphState::Changes(GraphState::Filter) | GraphState::Layout | GraphState::Chart;
        if (changes & wanted) plan(Urgency::Now);
    });
    connect(&shown_, &TraceOnScreen::changed, this, &FlameFinder::follow);
}

void FlameFinder::follow(TraceOnScreen::Changes changes) {
    if (changes & (TraceOnScreen::NewTrace | TraceOnScreen::Cleared)) forget();
    if (changes.testFlag(TraceOnScreen::Names)) areNamesNew_ = true;
    if (changes & (TraceOnScreen::Changes(TraceOnScreen::NewTrace) | TraceOnScreen::MoreOfIt | TraceOnScreen::Names))
        plan(changes.testFlag(TraceOnScreen::NewTrace) ? Urgency::Now : Urgency::WhenIdle);
}

void FlameFinder::forget() {
    lane_.cancel();
    searches_.cancel();
    asked_.reset();
    answer_.reset();
    emit searchDone(nullptr);
    emit answered(nullptr);
}

void FlameFinder::plan(Urgency urgency) {
    if (urgency == Urgency::Now) urgency_ = Urgency::Now;
    if (std::exchange(isPlanned_, true)) return;
    QMetaObject::invokeMethod(this, &FlameFinder::ask, Qt::QueuedConnection);
}

/// Skips the query if it was already answered or is pending: sorting by another column, for example, may not change it.
void FlameFinder::ask() {
    isPlanned_ = false;
    const auto urgency = std::exchange(urgency_, Urgency::WhenIdle);
    if (!isShown()) return lane_.cancel();
    if (!shown_.trace() || isUpToDate()) return;
    asked_ = shown_.trace();
    areNamesNew_ = false;
    lane_.ask({asked_, shown_.labels(), query()}, urgency);
}

analysis::FlameQuery FlameFinder::query() const {
    const auto& state = graph_.analysis();
    const auto& layout = graph_.layout();
    analysis::FlameQuery query;
    query.table = layout.table;
    query.interval = state.tableRange();
    query.keys = flameKeysOf(layout);
    query.measure = flameMeasureOf(layout);
    query.filter = graph_.filterInContext();
    query.processExitFreesHeap = state.options().processExitFreesHeap;
    query.allocatorFrames = state.options().allocatorFrames;
    if (isComparing_ && !state.instant()) {
        const auto length = query.interval.end.ns - query.interval.start.ns;
        const auto start = std::max(state.wholeRange().start.ns, query.interval.start.ns - length);
        query.before = TimeRange{TraceTime{std::min(start, query.interval.start.ns)}, query.interval.start};
    }
    return query;
}

bool FlameFinder::isUpToDate() const {
    return answer_ && !lane_.isBusy() && !areNamesNew_ && asked_ == shown_.trace() && answer_->query == query();
}

void FlameFinder::take(Result<FlameAnswer> answer) {
    if (!answer.hasValue()) {
        if (answer.error().kind != ErrorKind::Cancelled) emit failed(toQString(answer.error().message));
        return;
    }
    answer_ = std::make_shared<const FlameAnswer>(std::move(answer).value());
    emit answered(answer_);
    search(text_);
}

void FlameFinder::setComparing(bool comparing) {
    if (comparing == isComparing_) return;
    isComparing_ = comparing;
    emit comparingChanged();
    plan(Urgency::Now);
}

void FlameFinder::search(const QString& text) {
    text_ = text;
    if (text.isEmpty() || !answer_) {
        searches_.cancel();
        emit searchDone(nullptr);
        return;
    }
    searches_.ask({answer_, text}, Urgency::Now);
}

} // namespace highwater::ui

#include "moc_flame_finder.cpp"
