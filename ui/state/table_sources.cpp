#include "ui/state/table_sources.h"

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

bool isAboutTheSame(const analysis::Query& a, analysis::Query b) {
    b.sort = a.sort;
    return asksTheSame(a, b) && a.marks == b.marks && a.instances == b.instances;
}

} // namespace

/// Text conditions and labels may depend on names, whatever their columns.
std::shared_ptr<const void> TableSources::namingOf(const TableRequest& request) {
    const auto& query = request.query;
    const auto isNamed = [](const analysis::KeyStep& step) { return analysis::showsNames(step.column); };
    const bool isFiltered = std::ranges::any_of(query.filter.clauses, [&](const auto& clause) {
        return std::ranges::any_of(clause.anyOf, [&](const auto& path) { return std::ranges::any_of(path, isNamed); });
    });
    const bool isAsked = std::ranges::any_of(query.keys, analysis::showsNames) ||
                         std::ranges::any_of(query.columns, analysis::showsNames, &analysis::ValueColumn::column) ||
                         std::ranges::any_of(query.sort, analysis::showsNames, &analysis::SortKey::column) ||
                         query.filter.hasConditions() || (query.annotations && !query.annotations->empty());
    return isFiltered || isAsked ? request.labels->labelsOf(*request.trace) : nullptr;
}

std::shared_ptr<TableAnswer::Source> TableSources::find(const TableRequest& request) {
    const auto naming = namingOf(request);
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.trace != request.trace; });
    const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.naming == naming && isAboutTheSame(entry.query, request.query);
    });
    if (found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().source;
}

void TableSources::add(const TableRequest& request, std::shared_ptr<TableAnswer::Source> source) {
    if (source->table->cellCount() > kMostCells) return;
    Entry entry{request.trace, namingOf(request), request.query, std::move(source)};
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& known) {
        return known.trace != request.trace || isAboutTheSame(known.query, request.query);
    });
    if (entries_.size() == kMost) entries_.pop_back();
    entries_.insert(entries_.begin(), std::move(entry));
}

void TableSources::clear() {
    const std::scoped_lock lock(mutex_);
    entries_.clear();
}

Result<std::shared_ptr<const TableAnswer>> answerTableCached(const TableRequest& request, std::stop_token stop) {
    if (const auto source = request.known ? request.known->find(request) : nullptr) {
        if (auto answer = answerSorted(source, request, stop)) return *std::move(answer);
    }
    auto answer = answerTable(request, stop);
    if (answer.hasValue() && request.known && !stop.stop_requested())
        request.known->add(request, answer.value()->source());
    return answer;
}

} // namespace highwater::ui
