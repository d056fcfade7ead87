#include "core/analysis/query/row_filter.h"

#include <fmt/format.h>

#include <utility>

namespace highwater::analysis {
namespace {

/// Null is equivalent to an empty list.
template <typename List>
bool areSame(const std::shared_ptr<const List>& a, const std::shared_ptr<const List>& b) {
    if (a == b) return true;
    if (!a || !b) return a ? a->empty() : b->empty();
    return *a == *b;
}

} // namespace

bool operator==(const RowFilter& a, const RowFilter& b) {
    return a.clauses == b.clauses && a.query == b.query && areSame(a.marks, b.marks) &&
           areSame(a.annotations, b.annotations);
}

std::optional<Error> RowFilter::refusal(Table table) const {
    if (!hasConditions()) return std::nullopt;
    if (auto refusal = query->refusalForRows(); !refusal.empty()) return Error{ErrorKind::Usage, std::move(refusal)};
    if (query->table() == table) return std::nullopt;
    return Error{ErrorKind::Usage, fmt::format("A filter for the table \"{}\" cannot be used with the table \"{}\".",
                                               tableTitle(query->table()), tableTitle(table))};
}

} // namespace highwater::analysis
