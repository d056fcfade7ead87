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

/// What groups cannot tell single rows can: one of 64 bytes among others.
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
    if (query.filter.refusal(query.table)) return std::uint64_t{0}; // it is about groups
    const auto table = analysis::GroupedTable::compute(subject_.trace, subject_.labels, std::move(query), stop);
    if (!table.hasValue()) return table.error();
    const auto count = table.value()->value(analysis::GroupedTable::kRoot, analysis::Column::Count);
    const auto* rows = std::get_if<std::int64_t>(&count);
    return rows == nullptr ? std::uint64_t{0} : static_cast<std::uint64_t>(*rows);
}

Result<FindAnswer> FindSession::count(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (const auto ready = prepare(stop); !ready.hasValue()) return ready.error();
    auto hits = search_->count(stop);
    if (!hits.hasValue()) return hits.error();
    FindAnswer answer{.row = {}, .wentRound = false, .hits = hits.value()};
    if (answer.hits->count > 0) return answer;
    const auto rows = countRows(stop);
    if (!rows.hasValue()) return rows.error();
    answer.hits->rows = rows.value();
    return answer;
}

Result<FindAnswer> FindSession::groups(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (const auto ready = prepare(stop); !ready.hasValue()) return ready.error();
    auto groups = search_->groups(kMostFoundGroups, stop);
    if (!groups.hasValue()) return groups.error();
    FindAnswer answer{.row = {}, .wentRound = false, .hits = {}, .groups = std::move(groups).value()};
    if (!answer.groups || !answer.groups->empty()) return answer;
    const auto rows = countRows(stop);
    if (!rows.hasValue()) return rows.error();
    answer.hits = TableSearch::Hits{.count = 0, .isMore = false, .rows = rows.value()};
    return answer;
}

Result<FindAnswer> answerFind(const FindRequest& request, std::stop_token stop) {
    if (!request.step && request.all == FindRequest::All::Groups) return request.session->groups(stop);
    return request.step ? request.session->step(*request.step, stop) : request.session->count(stop);
}

} // namespace highwater::ui
