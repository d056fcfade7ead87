#include "ui/state/timeline_answers.h"

#include "ui/state/table/table_answer.h"

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

bool isAskedTheSame(const analysis::TimelineQuery& a, const analysis::TimelineQuery& b) {
    return a.table == b.table && a.interval == b.interval && a.points == b.points && a.by == b.by &&
           a.maxSeries == b.maxSeries && a.filter == b.filter && a.processExitFreesHeap == b.processExitFreesHeap &&
           a.allocatorFrames == b.allocatorFrames && haveSameLabels(a.annotations, b.annotations) &&
           a.measure == b.measure && a.marks == b.marks && a.instances == b.instances && a.opening == b.opening;
}

std::size_t pointsOf(const TimelineAnswer& answer) {
    std::size_t points = answer.timeline.starts.size();
    for (const auto& series : answer.timeline.series)
        points += series.peaks.size();
    if (answer.privateBytes) points += answer.privateBytes->peaks.size();
    return points + (answer.total ? answer.total->peaks.size() : 0);
}

} // namespace

/// Text conditions and labels may depend on names, whatever their columns.
std::shared_ptr<const void> TimelineAnswers::namingOf(const TimelineRequest& request) {
    const auto& query = request.query;
    const auto isNamed = [](const analysis::KeyStep& step) { return analysis::showsNames(step.column); };
    const bool isFiltered = std::ranges::any_of(query.filter.clauses, [&](const auto& clause) {
        return std::ranges::any_of(clause.anyOf, [&](const auto& path) { return std::ranges::any_of(path, isNamed); });
    });
    const bool isAsked = (query.by && analysis::showsNames(*query.by)) ||
                         std::ranges::any_of(query.opening.keys, analysis::showsNames) ||
                         query.filter.hasConditions() || (query.annotations && !query.annotations->empty());
    return isFiltered || isAsked ? request.labels->labelsOf(*request.trace) : nullptr;
}

std::optional<TimelineAnswer> TimelineAnswers::find(const TimelineRequest& request) {
    if (request.withLifetimes) return std::nullopt;
    const auto naming = namingOf(request);
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.trace != request.trace; });
    const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.naming == naming && entry.withTotal == request.withTotal &&
               isAskedTheSame(entry.answer.query, request.query);
    });
    if (found == entries_.end()) return std::nullopt;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().answer;
}

void TimelineAnswers::add(const TimelineRequest& request, const TimelineAnswer& answer) {
    if (request.withLifetimes) return;
    Entry entry{request.trace, namingOf(request), request.withTotal, answer, pointsOf(answer)};
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& known) { return known.trace != request.trace; });
    entries_.insert(entries_.begin(), std::move(entry));
    std::size_t points = 0;
    std::size_t kept = 0;
    while (kept < std::min(entries_.size(), kMost) && points + entries_[kept].points <= kMostPoints)
        points += entries_[kept++].points;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(kept), entries_.end());
}

void TimelineAnswers::clear() {
    const std::scoped_lock lock(mutex_);
    entries_.clear();
}

Result<std::optional<TimelineAnswer>> answerCoarselyUnlessCached(const TimelineRequest& request, std::stop_token stop) {
    if (request.known && request.known->find(request)) return std::optional<TimelineAnswer>();
    return answerCoarsely(request, std::move(stop));
}

Result<TimelineAnswer> answerTimelineCached(const TimelineRequest& request, std::stop_token stop) {
    if (auto known = request.known ? request.known->find(request) : std::nullopt) return *std::move(known);
    auto answer = answerTimeline(request, stop);
    if (answer.hasValue() && request.known && !stop.stop_requested()) request.known->add(request, answer.value());
    return answer;
}

} // namespace highwater::ui
