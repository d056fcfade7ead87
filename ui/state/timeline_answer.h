#pragma once

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
    /// Also the total of all series: peaks of series that stand on each other need not be at the same instant, so that
    /// a stack of them may be higher than anything was. The total tells.
    bool withTotal = false;
    /// Also each allocation by itself.
    bool withLifetimes = false;
    std::shared_ptr<TimelineAnswers> known = nullptr; ///< what was answered before; null: nothing
};

/// The lines of a graph, with the question they answer.
struct TimelineAnswer {
    analysis::TimelineQuery query;
    analysis::Timeline timeline;
    std::optional<analysis::TimelineSeries> total;                  ///< nothing unless asked for
    std::shared_ptr<const analysis::Lifetimes> lifetimes = nullptr; ///< null unless asked for
};

/// The name of a series behind those of the groups that it is in.
[[nodiscard]] std::string wholeNameOf(const analysis::Timeline& timeline, std::size_t series);

/// What can be said of it in milliseconds: analysis::coarseTimeline(). Workers only.
[[nodiscard]] Result<std::optional<TimelineAnswer>> answerCoarsely(const TimelineRequest& request,
                                                                   std::stop_token stop);

/// Workers only.
[[nodiscard]] Result<TimelineAnswer> answerTimeline(const TimelineRequest& request, std::stop_token stop);

/// What the selected rows of a table look like over time.
struct PaintedRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::TimelineQuery query; ///< of the graph
    std::vector<analysis::KeyPath> rows;
};

struct PaintedRow {
    analysis::KeyPath path;
    std::vector<SignedByteCount> peaks; ///< per slice; of what is new all of it, kept or freed
    SignedByteCount atEnd = 0;          ///< of the interval
};

struct PaintedAnswer {
    analysis::TimelineQuery query; ///< of the graph
    std::vector<PaintedRow> rows;  ///< as many as were asked for, in their order
};

/// One timeline per row: the graph's query, and of that only what the row holds. Workers only.
[[nodiscard]] Result<PaintedAnswer> answerPainted(const PaintedRequest& request, std::stop_token stop);

} // namespace highwater::ui
