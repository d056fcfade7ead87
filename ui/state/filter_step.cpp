#include "ui/state/filter_step.h"

#include <string>

namespace highwater::ui {

Result<analysis::RowFilter> rowFilterOf(analysis::Table table, const std::vector<FilterStep>& steps) {
    analysis::RowFilter filter;
    std::string joined;
    for (const auto& step : steps) {
        if (!step.query) {
            filter.clauses.push_back(step.clause);
            continue;
        }
        // A filter has one query: several become one text again, each in its own parentheses.
        joined += (joined.empty() ? "(" : " AND (") + step.query->toString() + ')';
        filter.query = step.query;
        if (const auto refusal = filter.refusal(table)) return *refusal;
    }
    const auto parsed = analysis::QueryExpression::parse(table, joined);
    if (!parsed.hasValue()) return Error{ErrorKind::Usage, parsed.error().sentence};
    if (filter.query) filter.query = parsed.value();
    return filter;
}

} // namespace highwater::ui
