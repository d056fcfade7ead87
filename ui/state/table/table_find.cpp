#include "ui/state/table/table_find.h"

#include <utility>

namespace highwater::ui {

using analysis::TableSearch;

Result<void> FindSession::prepare(const std::stop_token& stop) {
    if (search_) return {};
    auto search = TableSearch::make(subject_.trace, subject_.labels, subject_.query, subject_.expression, stop);
    if (!search.hasValue()) return search.error();
    search_ = std::move(search).value();
    return {};
}

Result<FindAnswer> FindSession::step(const FindStep& step, const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (const auto ready = prepare(stop); !ready.hasValue()) return ready.error();
    auto row = search_->next(step.from, step.direction, stop);
    if (!row.hasValue()) return row.error();
    FindAnswer answer{.row = std::move(row).value(), .wentRound = false, .hits = {}};
    if (answer.row || step.from.empty()) return answer;
    auto other = search_->next({}, step.direction, stop);
    if (!other.hasValue()) return other.error();
    answer.row = std::move(other).value();
    answer.wentRound = answer.row.has_value();
    return answer;
}

Result<FindAnswer> FindSession::count(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (const auto ready = prepare(stop); !ready.hasValue()) return ready.error();
    auto hits = search_->count(stop);
    if (!hits.hasValue()) return hits.error();
    return FindAnswer{.row = {}, .wentRound = false, .hits = hits.value()};
}

Result<FindAnswer> FindSession::groups(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (const auto ready = prepare(stop); !ready.hasValue()) return ready.error();
    auto groups = search_->groups(kMostFoundGroups, stop);
    if (!groups.hasValue()) return groups.error();
    return FindAnswer{.row = {}, .wentRound = false, .hits = {}, .groups = std::move(groups).value()};
}

Result<FindAnswer> answerFind(const FindRequest& request, std::stop_token stop) {
    if (!request.step && request.all == FindRequest::All::Groups) return request.session->groups(stop);
    return request.step ? request.session->step(*request.step, stop) : request.session->count(stop);
}

} // namespace highwater::ui
