#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/generations/generation_numbers.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// A question for the growth between marks. A plain value.
struct GenerationsQuery {
    Table table = Table::Heap; ///< not Frees
    TimeRange interval;
    RowFilter filter;
    bool processExitFreesHeap = false;                      ///< as in tables
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< skipped to find owners; null: none
    SharedMarks marks;                                      ///< marks in the trace, in any order; null: none
    std::size_t most = 10;                                  ///< stacks per generation
};

/// One stack of one process that grew, shrank, or keeps memory that it allocated.
struct GenerationStack {
    std::string process;            ///< "name.exe (pid)"
    std::string owner;              ///< "module.dll!function"
    std::vector<std::string> stack; ///< innermost first, without allocator frames
    GenerationNumbers numbers;
    KeyPath path; ///< Process, then Stack (bottom-up): the keys for filters
};

/// The time from one mark to the next. The first starts, and the last ends, with the interval.
struct Generation {
    std::string text;                  ///< the text in Column::Generation: "2. Warm to Full"
    std::uint64_t key = 0;             ///< and its key there
    std::string mark;                  ///< the mark at its end; empty: the end of the interval
    std::optional<std::int64_t> ticks; ///< position of that mark
    TraceTime start;
    TraceTime end;
    GenerationNumbers numbers;
    std::size_t stackCount = 0;          ///< stacks with any number other than 0
    std::vector<GenerationStack> stacks; ///< those that keep most memory first
    GenerationNumbers others;            ///< sum of the stacks that are not listed
};

struct GenerationsReport {
    TimeRange interval;                  ///< limited to the extent of the trace
    std::size_t marks = 0;               ///< inside it
    std::vector<Generation> generations; ///< in time order; none: the interval is empty
    GenerationNumbers total;             ///< sum of all; growth is the Impacting Size of the interval
};

/// One pass over the rows of the interval. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<GenerationsReport> countGenerations(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const GenerationsQuery& query,
                                                         const std::stop_token& stop = {});

/// Explains how to set marks to users who ask for generations without marks.
inline constexpr std::string_view kHowMarksAreMade =
    "Set marks with Ctrl+M in the window, during a recording or in an open trace, or with --mark on the command line.";

} // namespace highwater::analysis
