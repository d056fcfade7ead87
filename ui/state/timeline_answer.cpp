#include "ui/state/timeline_answer.h"

#include "core/analysis/rows/key_reader.h"

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

using Clause = analysis::RowFilter::Clause;

/// A single series of everything that passes the filter.
analysis::TimelineQuery totalOf(analysis::TimelineQuery query) {
    query.by.reset();
    query.maxSeries = 0;
    query.opening = {};
    return query;
}

/// Sum of all series in each slice; new bytes consist of two series.
std::vector<SignedByteCount> together(const std::vector<analysis::TimelineSeries>& series) {
    auto sum = series.front().peaks;
    for (std::size_t s = 1; s < series.size(); ++s) {
        for (std::size_t i = 0; i < sum.size(); ++i) {
            const auto wrapped = static_cast<std::uint64_t>(sum[i]) + static_cast<std::uint64_t>(series[s].peaks[i]);
            sum[i] = static_cast<SignedByteCount>(wrapped);
        }
    }
    return sum;
}

/// Texts of holders need the pictures, which the GUI thread must not read.
void nameHolders(const PaintedRequest& request, std::vector<PaintedRow>& rows) {
    std::optional<analysis::KeyReader> reader;
    for (auto& row : rows) {
        const auto holder = std::ranges::find(row.path, analysis::Column::Holder, &analysis::KeyStep::column);
        if (holder == row.path.end()) continue;
        const auto& query = request.query;
        if (!reader) reader.emplace(*request.trace, *request.labels, query.interval, query.table).addPictures();
        row.holder = reader->text(holder->column, holder->key);
    }
}

} // namespace

std::string wholeNameOf(const analysis::Timeline& timeline, std::size_t series) {
    const auto& all = timeline.series;
    auto name = all[series].name;
    for (auto depth = all[series].depth; series > 0 && depth > 0;) {
        const auto& before = all[--series];
        if (before.depth >= depth) continue;
        depth = before.depth;
        if (before.isGroup) name = before.name + " › " + name;
    }
    return name;
}

Result<std::optional<TimelineAnswer>> answerCoarsely(const TimelineRequest& request, std::stop_token stop) {
    if (request.withLifetimes) return std::optional<TimelineAnswer>();
    auto timeline = analysis::coarseTimeline(*request.trace, *request.labels, request.query, stop);
    if (!timeline) return std::optional<TimelineAnswer>();
    return std::optional(TimelineAnswer{request.query, *std::move(timeline), {}});
}

Result<TimelineAnswer> answerTimeline(const TimelineRequest& request, std::stop_token stop) {
    auto timeline = TRY(analysis::computeTimeline(*request.trace, *request.labels, request.query, stop));
    TimelineAnswer answer{request.query, std::move(timeline), {}};
    if (request.withLifetimes) {
        auto lifetimes = TRY(analysis::computeLifetimes(*request.trace, *request.labels, request.query, stop));
        answer.lifetimes = std::make_shared<const analysis::Lifetimes>(std::move(lifetimes));
    }
    if (request.notes) {
        auto line = TRY(analysis::privateBytesLine(*request.trace, *request.labels, request.query, answer.timeline,
                                                   *request.notes, stop));
        answer.privateBytes = std::move(line);
    }
    if (!request.withTotal) return answer;
    auto total = TRY(analysis::computeTimeline(*request.trace, *request.labels, totalOf(request.query), stop));
    answer.total = std::move(total.series.front());
    return answer;
}

Result<PaintedAnswer> answerPainted(const PaintedRequest& request, std::stop_token stop) {
    PaintedAnswer answer{request.query, {}};
    for (const auto& path : request.rows) {
        auto query = totalOf(request.query);
        query.filter.clauses.push_back({Clause::Mode::Keep, {path}});
        auto timeline = TRY(analysis::computeTimeline(*request.trace, *request.labels, query, stop));
        const auto& series = timeline.series;
        answer.rows.push_back({path, together(series), series.front().atEnd});
    }
    nameHolders(request, answer.rows);
    return answer;
}

} // namespace highwater::ui
