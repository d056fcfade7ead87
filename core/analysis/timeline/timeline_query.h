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

/// The value of a timeline.
enum class TimelineMeasure : std::uint8_t {
    Bytes, ///< outstanding bytes; Frees: bytes released in the slice; Heap Snapshot: bytes of the largest instance in
           ///< the slice
    Count, ///< outstanding rows, completely or in part; Frees: releases in the slice
    NewBytes, ///< bytes allocated in the slice: new_bytes.h
};

struct TimelineQuery {
    Table table = Table::VirtualAlloc;
    TimeRange interval;
    std::uint32_t points = 1000; ///< equal slices (one per pixel); at least 1
    std::optional<Column> by;    ///< a series per group of this key column; none: one series "Total"
    std::uint32_t maxSeries = 0; ///< 0: all; otherwise the largest by peak, with the rest as one series "(N more)"; the
                                 ///< same limit in each opened group
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for bottom-up stacks, also in the filter; as in Query
    std::shared_ptr<const Annotations> annotations;         ///< as in Query
    TimelineMeasure measure = TimelineMeasure::Bytes;
    SharedMarks marks;          ///< marks in the trace, for Generation and Survived Marks
    InstanceChoice instances{}; ///< for Heap Snapshot
    GroupOpening opening{};     ///< groups that are divided
};

/// The name of the series for stacks that end in a frame.
inline constexpr std::string_view kOwnSeries = "(itself)";

/// The name of the series for a whole table, regardless of the filter, in coarse answers.
inline constexpr std::string_view kEverythingSeries = "(everything)";

/// The contents of an open group follow it at a greater depth.
struct TimelineSeries {
    std::string name;
    std::uint64_t key = 0; ///< as in KeyStep::key; unused for totals, "(N more)" and "(itself)"
    bool isGroup = false;
    /// Per slice, the peak of the outstanding amount (bytes or rows: the query's measure; a sum for NewBytes)
    /// (docs/numbers.md 7): a spike of 1 ns is visible at any zoom. Frees: the amount released in the slice; Heap
    /// Snapshot: the largest instance in the slice, 0 without one.
    std::vector<SignedByteCount> peaks;
    /// The amount outstanding at the end of the interval, which is below the last peak if something was freed in the
    /// last slice. Frees: 0.
    SignedByteCount atEnd = 0;
    /// From the first key on, like the path of a table row. For "(N more)", and for "(itself)", which contains the
    /// stacks that end in a frame, the path of their group; empty for totals.
    KeyPath path = {};
    std::uint32_t depth = 0; ///< open groups that contain it, including the total if requested
    bool isOpen = false;     ///< its contents have their own series, which add up to this one
    bool canOpen = false;
};

} // namespace highwater::analysis
