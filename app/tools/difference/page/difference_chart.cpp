#include "app/tools/difference/page/difference_chart.h"

#include "ui/format/byte_format.h"
#include "ui/format/time_format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::DifferenceTimeline;

QString sentenceOf(const QString& when, std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
    const auto amount = [](std::optional<std::int64_t> value) {
        return value ? formatBytes(*value) : DifferenceChart::tr("ended");
    };
    auto text = DifferenceChart::tr("%1: %2 before, %3 after").arg(when, amount(before), amount(after));
    if (before && after && *before != *after)
        text += QStringLiteral(" (%1)").arg(formatByteDelta(analysis::Change{*before, *after}.delta()));
    return text;
}

QString sliceDescription(const DifferenceTimeline& timeline, std::size_t slice) {
    const auto valueIn = [slice](const std::vector<std::int64_t>& line) {
        return slice < line.size() ? std::optional(line[slice]) : std::nullopt;
    };
    const auto when = DifferenceChart::tr("%1 after the start").arg(formatDuration(timeline.edges[slice]));
    return sentenceOf(when, valueIn(timeline.before), valueIn(timeline.after));
}

std::vector<double> valuesOf(const std::vector<std::int64_t>& line) { return {line.begin(), line.end()}; }

/// The area between the lines where the upper line is above the lower one; empty elsewhere.
ChartSeries bandBetween(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
                        ChartColor color) {
    ChartSeries band{.kind = ChartKind::Band, .color = color};
    for (std::size_t i = 0; i < std::min(lower.size(), upper.size()); ++i) {
        band.lower.push_back(static_cast<double>(lower[i]));
        band.values.push_back(static_cast<double>(std::max(lower[i], upper[i])));
    }
    return band;
}

} // namespace

DifferenceChart::DifferenceChart(QWidget* parent)
    : Chart("differenceChart", tr("Outstanding bytes of both sides over time"),
            tr("Press arrow keys to move between slices, Home and End to move to the ends."), parent) {}

void DifferenceChart::setTimeline(std::shared_ptr<const DifferenceTimeline> timeline) {
    timeline_ = std::move(timeline);
    showTimeline();
}

void DifferenceChart::setNames(const QString& before, const QString& after) {
    before_ = before;
    after_ = after;
    showTimeline();
}

void DifferenceChart::setSubject(const QString& subject) {
    subject_ = subject;
    showTimeline();
}

void DifferenceChart::showTimeline() {
    if (!timeline_) return setPicture({});
    const auto& [edges, before, after, atEnd] = *timeline_;
    ChartPicture picture{.title = subject_, .points = {.edges = edges}};
    if (picture.points.count() == 0) {
        picture.why = tr("The intervals are empty.");
        return setPicture(std::move(picture));
    }
    // The dashed line is in front so that both are visible where they are equal.
    picture.series = {bandBetween(before, after, ChartColor::Grew),
                      bandBetween(after, before, ChartColor::Shrank),
                      {tr("After: %1").arg(after_), ChartKind::Line, ChartColor::Accent, valuesOf(after)},
                      {tr("Before: %1").arg(before_), ChartKind::DashedLine, ChartColor::Text, valuesOf(before)}};
    picture.summary = sentenceOf(tr("At the end"), atEnd.before, atEnd.after);
    picture.told = [timeline = timeline_](std::size_t slice) { return sliceDescription(*timeline, slice); };
    setPicture(std::move(picture));
}

} // namespace highwater::ui

#include "moc_difference_chart.cpp"
