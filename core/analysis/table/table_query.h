#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/rows/instances.h"
#include "core/event/trace_notes.h"

#include <memory>
#include <vector>

namespace highwater::analysis {

class AllocatorFrames;

/// A key column of the query orders only the groups of its own level, by their keys. Any other column orders every
/// level by the values of the groups. Groups without a value come last in both directions.
struct SortKey {
    Column column = Column::Size;
    bool descending = true;
    Aggregation aggregation = Aggregation::Own;
    [[nodiscard]] ValueColumn value() const { return {column, aggregation}; }
    friend bool operator==(const SortKey&, const SortKey&) = default;
};

/// A question for a table. Plain value; equal queries on the same publication have equal answers.
struct Query {
    Table table = Table::VirtualAlloc;
    TimeRange interval;
    std::vector<Column>
        keys; ///< left of the gold bar, in order; a stack column expands frame by frame; repeated columns are dropped
    std::vector<ValueColumn>
        columns; ///< additional values besides the sums (times, addresses, Min, Max, Peak need a pass of their own)
    std::vector<SortKey>
        sort; ///< the first key that distinguishes two groups, then by key; if none applies: Size, descending
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for bottom-up stacks; null: none are skipped
    SharedMarks marks;                                      ///< marks in the trace, for Generation and Survived Marks
    std::shared_ptr<const Annotations> annotations;         ///< for Column::Annotation, also in the filter; null: none
    InstanceChoice instances;                               ///< for Heap Snapshot
};

} // namespace highwater::analysis
