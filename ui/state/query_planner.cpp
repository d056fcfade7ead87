#include "ui/state/query_planner.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr ViewState::Changes kTableChanges =
    ViewState::VisibleRange | ViewState::Filter | ViewState::Table | ViewState::Layout;
constexpr ViewState::Changes kTimelineChanges = ViewState::VisibleRange | ViewState::Filter | ViewState::Table;
constexpr ViewState::Changes kTotalsChanges = ViewState::Selection | ViewState::Filter | ViewState::Table;

} // namespace

QueryPlanner::QueryPlanner(ViewState& state, QueryRunner& runner, QObject* parent)
    : QObject(parent), state_(state), runner_(runner) {
    connectState();
}

void QueryPlanner::connectState() {
    // A trace that grows widens the range several times a second: that must not interrupt what is being answered.
    connect(&state_, &ViewState::changed, this, [this](auto changes) {
        plan(changes, changes.testFlag(ViewState::WholeRange) ? Urgency::WhenIdle : Urgency::Now);
    });
}

void QueryPlanner::setTrace(std::shared_ptr<const store::PublishedTrace> trace,
                            std::shared_ptr<analysis::FrameLabels> labels) {
    const bool isNew = labels != labels_;
    trace_ = std::move(trace);
    labels_ = std::move(labels);
    plan(ViewState::WholeRange | kTableChanges | kTimelineChanges | kTotalsChanges,
         isNew ? Urgency::Now : Urgency::WhenIdle);
}

void QueryPlanner::clearTrace() {
    trace_.reset();
    labels_.reset();
    runner_.cancelAll();
}

void QueryPlanner::setExpandedPaths(std::function<std::vector<analysis::KeyPath>()> expandedPaths) {
    expandedPaths_ = std::move(expandedPaths);
}

void QueryPlanner::setTimelinePoints(int points) {
    const auto wanted = static_cast<std::uint32_t>(std::max(points, 1));
    if (wanted == points_) return;
    points_ = wanted;
    plan(ViewState::VisibleRange, Urgency::WhenIdle);
}

void QueryPlanner::plan(ViewState::Changes changes, Urgency urgency) {
    pending_ |= changes;
    if (urgency == Urgency::Now) urgency_ = Urgency::Now;
    if (std::exchange(planned_, true)) return;
    QMetaObject::invokeMethod(this, &QueryPlanner::ask, Qt::QueuedConnection);
}

void QueryPlanner::ask() {
    planned_ = false;
    if (trace_) {
        if (pending_ & kTableChanges) askTable();
        if (pending_ & kTimelineChanges) askTimeline();
        if (pending_ & kTotalsChanges) askTotalsOfSelection();
    }
    pending_ = {};
    urgency_ = Urgency::WhenIdle;
}

void QueryPlanner::askTable() {
    const auto& layout = state_.layout();
    TableRequest request{.trace = trace_, .labels = labels_, .query = {}, .expanded = {}};
    request.query.table = layout.table;
    request.query.interval = state_.visibleRange();
    request.query.keys = layout.keys;
    request.query.columns = layout.columns;
    request.query.sort = layout.sort;
    request.query.filter = state_.filter();
    if (expandedPaths_) request.expanded = expandedPaths_();
    runner_.askTable(std::move(request), urgency_);
}

void QueryPlanner::askTimeline() {
    TimelineRequest request{.trace = trace_, .labels = labels_, .query = {}};
    request.query.table = state_.table();
    request.query.interval = state_.visibleRange();
    request.query.points = points_;
    request.query.by = analysis::Column::Process;
    request.query.maxSeries = kMaxSeries;
    request.query.filter = state_.filter();
    runner_.askTimeline(std::move(request), urgency_);
}

void QueryPlanner::askTotalsOfSelection() {
    if (!state_.selection()) return;
    TableRequest request{.trace = trace_, .labels = labels_, .query = {}, .expanded = {}};
    request.query.table = state_.table();
    request.query.interval = *state_.selection();
    const bool isFrees = state_.table() == analysis::Table::Frees;
    request.query.columns = {isFrees ? analysis::Column::Size : analysis::Column::ImpactingSize};
    request.query.filter = state_.filter();
    runner_.askTotals(std::move(request), urgency_);
}

} // namespace highwater::ui
