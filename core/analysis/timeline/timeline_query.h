#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/rows/instances.h"
#include "core/analysis/timeline/group_opening.h"
#include "core/event/trace_notes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

class AllocatorFrames;

/// What a timeline counts.
enum class TimelineMeasure : std::uint8_t {
    Bytes,    ///< outstanding bytes; of Frees: bytes released within the slice; of Heap
              ///< Snapshot: those of the largest instance in the slice
    Count,    ///< outstanding rows, whole or in part; of Frees: releases within the slice
    NewBytes, ///< bytes allocated within the slice: new_bytes.h
};

struct TimelineQuery {
    Table table = Table::VirtualAlloc;
    TimeRange interval;
    std::uint32_t points = 1000; ///< equal slices (one per pixel); at least 1
    std::optional<Column> by;    ///< a series per group of this key column; none: one series "Total"
    std::uint32_t maxSeries = 0; ///< 0: all; else the largest by peak, the rest as one series "(N more)"; of each
                                 ///< opened group so many of those in it
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for bottom-up stacks, also in the filter; as in Query
    std::shared_ptr<const Annotations> annotations;         ///< as in Query
    TimelineMeasure measure = TimelineMeasure::Bytes;
    SharedMarks marks;          ///< of the trace, for Generation and Survived Marks
    InstanceChoice instances{}; ///< of Heap Snapshot
    GroupOpening opening{};     ///< which of the groups are told as what is in them
};

/// The name of the series of what is in a frame where no stack goes on.
inline constexpr std::string_view kOwnSeries = "(itself)";

/// The name of the series of a whole table, whatever the filter is: of coarse answers.
inline constexpr std::string_view kEverythingSeries = "(everything)";

/// What is in an open group follows it, deeper.
struct TimelineSeries {
    std::string name;
    std::uint64_t key = 0; ///< as KeyStep::key; meaningless for totals, "(N more)" and "(itself)"
    bool isGroup = false;
    /// Per slice, the highest outstanding amount (bytes or rows: the query's measure; of NewBytes a sum) at any instant
    /// in it (docs/numbers.md 7): a spike of 1 ns is seen at any zoom. Of Frees: what was released within the slice; of
    /// Heap Snapshot what the largest instance in it has, 0 where there is none.
    std::vector<SignedByteCount> peaks;
    /// What is outstanding when the interval ends: below the last peak where something was freed in its slice. Of
    /// Frees: 0.
    SignedByteCount atEnd = 0;
    /// From the first key on, as that of a row of the table. Of "(N more)", and of "(itself)", which is what is in a
    /// frame where no stack goes on, that of the group that they are in; of totals empty.
    KeyPath path = {};
    std::uint32_t depth = 0; ///< open groups that it is in; the total counts if it was asked for
    bool isOpen = false;     ///< what is in it is told as series of their own: added up, they are this one
    bool canOpen = false;
};

} // namespace highwater::analysis
