#include "ui/state/table/table_find.h"

#include <utility>

namespace highwater::ui {

using analysis::TableSearch;

Result<void> FindSession::prepare(const std::stop_token& stop) {
    if (search_) return {};
    search_ = TRY(TableSearch::make(subject_.trace, subject_.labels, subject_.query, subject_.expression, stop));
    return {};
}

Result<FindAnswer> FindSession::step(const FindStep& step, const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    TRY(prepare(stop));
    auto row = TRY(search_->next(step.from, step.direction, stop));
    FindAnswer answer{.row = std::move(row), .wentRound = false, .hits = {}};
    if (answer.row || step.from.empty()) return answer;
    answer.row = TRY(search_->next({}, step.direction, stop));
    answer.wentRound = answer.row.has_value();
    return answer;
}

/// Counts single rows that match although no group does, such as one of 64 bytes among others.
Result<std::uint64_t> FindSession::countRows(const std::stop_token& stop) const {
    auto query = subject_.query;
    query.keys = {analysis::Column::Process};
    query.columns.clear();
    query.sort.clear();
    auto text = subject_.expression.toString();
    if (query.filter.hasConditions()) text = '(' + query.filter.query->toString() + ") AND (" + text + ')';
    const auto parsed = analysis::QueryExpression::parse(query.table, text);
    if (!parsed.hasValue()) return std::uint64_t{0};
    query.filter.query = parsed.value();
    if (query.filter.refusal(query.table)) return std::uint64_t{0}; // the query tests groups
    const auto table = TRY(analysis::GroupedTable::compute(subject_.trace, subject_.labels, std::move(query), stop));
    const auto count = table->value(analysis::GroupedTable::kRoot, analysis::Column::Count);
    const auto* rows = std::get_if<std::int64_t>(&count);
    return rows == nullptr ? std::uint64_t{0} : static_cast<std::uint64_t>(*rows);
}

Result<FindAnswer> FindSession::count(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    TRY(prepare(stop));
    auto hits = TRY(search_->count(stop));
    FindAnswer answer{.row = {}, .wentRound = false, .hits = hits};
    if (answer.hits->count > 0) return answer;
    answer.hits->rows = TRY(countRows(stop));
    return answer;
}

Result<FindAnswer> FindSession::groups(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    TRY(prepare(stop));
    auto groups = TRY(search_->groups(kMostFoundGroups, stop));
    FindAnswer answer{.row = {}, .wentRound = false, .hits = {}, .groups = std::move(groups)};
    if (!answer.groups || !answer.groups->empty()) return answer;
    const auto rows = TRY(countRows(stop));
    answer.hits = TableSearch::Hits{.count = 0, .isMore = false, .rows = rows};
    return answer;
}

Result<FindAnswer> answerFind(const FindRequest& request, std::stop_token stop) {
    if (!request.step && request.all == FindRequest::All::Groups) return request.session->groups(stop);
    return request.step ? request.session->step(*request.step, stop) : request.session->count(stop);
}

} // namespace highwater::ui
