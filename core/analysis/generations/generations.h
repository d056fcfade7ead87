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

/// What grew from mark to mark? A plain value.
struct GenerationsQuery {
    Table table = Table::Heap; ///< not Frees
    TimeRange interval;
    RowFilter filter;
    bool processExitFreesHeap = false;                      ///< as of tables
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< that stacks leave out and owners lie behind; null: none
    SharedMarks marks;                                      ///< of the trace, in any order; null: none
    std::size_t most = 10;                                  ///< stacks of a generation
};

/// One stack of one process that grew, shrank, or keeps what it allocated.
struct GenerationStack {
    std::string process;            ///< "name.exe (pid)"
    std::string owner;              ///< "module.dll!function"
    std::vector<std::string> stack; ///< innermost first, without allocator frames
    GenerationNumbers numbers;
    KeyPath path; ///< Process, then Stack (bottom-up): what filters are made of
};

/// From one mark to the next; the first begins, and the last ends, with the interval.
struct Generation {
    std::string text;                  ///< what Column::Generation calls it: "2. Warm to Full"
    std::uint64_t key = 0;             ///< and its key there
    std::string mark;                  ///< the name of the mark that ends it; empty: the interval ends it
    std::optional<std::int64_t> ticks; ///< of that mark
    TraceTime start;
    TraceTime end;
    GenerationNumbers numbers;
    std::size_t stackCount = 0;          ///< that have any number in it
    std::vector<GenerationStack> stacks; ///< those that keep most first
    GenerationNumbers others;            ///< of the stacks that are not named
};

struct GenerationsReport {
    TimeRange interval;                  ///< as far as the trace goes
    std::size_t marks = 0;               ///< inside it
    std::vector<Generation> generations; ///< in the order of time; none: the interval is empty
    GenerationNumbers total;             ///< of them together: growth is the Impacting Size of the interval
};

/// One pass over the rows of the interval. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<GenerationsReport> countGenerations(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const GenerationsQuery& query,
                                                         const std::stop_token& stop = {});

/// How marks are made: for who asks about them and has none.
inline constexpr std::string_view kHowMarksAreMade =
    "Set marks with Ctrl+M in the window, during a recording or in an open trace, or with --mark on the command line.";

} // namespace highwater::analysis
