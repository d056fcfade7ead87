#pragma once

#include "core/analysis/table/grouped_table.h"

namespace highwater::tests {

/// Heap blocks by process, stack and heap. Tests of the writers make answers to this query by hand.
inline analysis::Query exampleQuery() {
    using analysis::Column;
    analysis::Query query;
    query.table = analysis::Table::Heap;
    query.interval = {TraceTime{0}, TraceTime{2'200'000'000}};
    query.keys = {Column::Process, Column::Stack, Column::Handle};
    query.columns = {Column::Count, Column::EndTime};
    return query;
}

} // namespace highwater::tests
