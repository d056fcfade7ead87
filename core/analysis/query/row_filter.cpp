#include "core/analysis/query/row_filter.h"

#include <fmt/format.h>

namespace highwater::analysis {

std::optional<Error> RowFilter::refusal(Table table) const {
    if (!hasConditions()) return std::nullopt;
    if (query->usesSeriesName()) {
        return Error{ErrorKind::Usage,
                     "[Series Name] is the name of a group and cannot filter rows: name a column instead."};
    }
    if (query->table() == table) return std::nullopt;
    return Error{ErrorKind::Usage, fmt::format("A filter of the table \"{}\" cannot be used on the table \"{}\".",
                                               tableTitle(query->table()), tableTitle(table))};
}

} // namespace highwater::analysis
