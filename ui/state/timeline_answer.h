#pragma once

#include "core/analysis/balance/private_bytes.h"
#include "core/analysis/timeline/lifetimes.h"
#include "core/analysis/timeline/memory_timeline.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::ui {

class TimelineAnswers;

struct TimelineRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::TimelineQuery query;
    /// Also compute the total of all series. Peaks of stacked series need not be at the same instant, so the stack may
    /// be higher than the real maximum, which the total shows.
    bool withTotal = false;
    /// Also return each allocation.
    bool withLifetimes = false;
    std::shared_ptr<TimelineAnswers> known = nullptr; ///< earlier answers; null: none
    SharedTraceNotes notes = nullptr;                 ///< notes of the trace; null: none
};

/// The lines of a graph with their query.
struct TimelineAnswer {
    analysis::TimelineQuery query;
    analysis::Timeline timeline;
    std::optional<analysis::TimelineSeries> total;                  ///< only if requested
    std::shared_ptr<const analysis::Lifetimes> lifetimes = nullptr; ///< null unless requested
    std::optional<analysis::PrivateBytesLine> privateBytes = {};    ///< if they are known and comparable
};

/// The name of a series, preceded by those of its ancestors.
[[nodiscard]] std::string wholeNameOf(const analysis::Timeline& timeline, std::size_t series);

/// The answer that is possible within milliseconds: analysis::coarseTimeline(). Workers only.
[[nodiscard]] Result<std::optional<TimelineAnswer>> answerCoarsely(const TimelineRequest& request,
                                                                   std::stop_token stop);

/// Workers only.
[[nodiscard]] Result<TimelineAnswer> answerTimeline(const TimelineRequest& request, std::stop_token stop);

/// Request for the selected rows of a table over time.
struct PaintedRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::TimelineQuery query; ///< the graph's query
    std::vector<analysis::KeyPath> rows;
};

struct PaintedRow {
    analysis::KeyPath path;
    std::vector<SignedByteCount> peaks; ///< per slice; for new bytes the sum of kept and freed ones
    SignedByteCount atEnd = 0;          ///< at the end of the interval
    std::string holder = {};            ///< text of the holder in the path; empty: it has none
};

struct PaintedAnswer {
    analysis::TimelineQuery query; ///< the graph's query
    std::vector<PaintedRow> rows;  ///< one for each requested row, in the same order
};

/// One timeline per row: the graph's query, restricted to the row. Workers only.
[[nodiscard]] Result<PaintedAnswer> answerPainted(const PaintedRequest& request, std::stop_token stop);

} // namespace highwater::ui
