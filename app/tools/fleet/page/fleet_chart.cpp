#include "app/tools/fleet/page/fleet_chart.h"

#include "app/tools/fleet/page/fleet_words.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"

#include <utility>

namespace highwater::ui {
namespace {

using fleet::HistoryAnswer;

/// The build of a mark; null if there is none, or the store refers to a missing build.
const fleet::BuildValue* markedBuild(const HistoryAnswer& history, std::optional<std::size_t> build) {
    return build && *build < history.builds.size() ? &history.builds[*build] : nullptr;
}

QString historyDescription(const HistoryAnswer& history, fleet::Measure measure) {
    auto found = FleetChart::tr("no build is significantly above those before it");
    if (const auto* bad = markedBuild(history, history.firstBad)) {
        found = FleetChart::tr("first bad build %1").arg(buildText(bad->build));
        if (const auto* mended = markedBuild(history, history.mended))
            found += FleetChart::tr(", fixed in %1").arg(buildText(mended->build));
    }
    return FleetChart::tr("%1 in %2: %3.")
               .arg(subjectText(history.stack, measure), countText(history.builds.size(), "1 build", "%1 builds"),
                    found) +
           unknownText(history.runsUnknown);
}

QString buildDescription(const HistoryAnswer& history, fleet::Measure measure, std::size_t build) {
    const auto& [name, recordedAt, side] = history.builds[build];
    auto text =
        FleetChart::tr("Build %1: median %2, p95 %3, on %4 of %5, %6")
            .arg(buildText(name), fleetAmount(measure, side.median), fleetAmount(measure, side.p95),
                 formatCount(static_cast<std::int64_t>(side.machinesWith)),
                 countText(side.machines, "1 machine", "%1 machines"), countText(side.runs, "1 run", "%1 runs"));
    if (build == history.firstBad) text += FleetChart::tr("; first bad build");
    if (build == history.mended) text += FleetChart::tr("; fixed in this build");
    return text;
}

/// The builds where growth started and ended.
std::vector<ChartMark> marksOf(const HistoryAnswer& history) {
    if (!markedBuild(history, history.firstBad)) return {};
    std::vector<ChartMark> marks{{*history.firstBad, FleetChart::tr("first bad build"), ChartColor::Grew}};
    if (markedBuild(history, history.mended))
        marks.push_back({*history.mended, FleetChart::tr("fixed"), ChartColor::Shrank});
    return marks;
}

} // namespace

FleetChart::FleetChart(QWidget* parent)
    : Chart("fleetChart", tr("Stack by build"),
            tr("Press arrow keys to move between builds, Home and End to move to the ends, Enter to list the runs of a "
               "build."),
            parent) {
    connect(this, &Chart::chosen, this, [this](std::size_t build) { emit buildChosen(history_->builds[build].build); });
}

void FleetChart::setHistory(std::shared_ptr<const HistoryAnswer> history, fleet::Measure measure, const QString& why) {
    history_ = std::move(history);
    measure_ = measure;
    why_ = why;
    isOld_ = false;
    showHistory();
}

void FleetChart::setOld(bool isOld) {
    if (isOld == isOld_) return;
    isOld_ = isOld;
    showHistory();
}

void FleetChart::setSides(const std::string& from, const std::string& to) {
    if (from == from_ && to == to_) return;
    from_ = from;
    to_ = to;
    showHistory();
}

void FleetChart::showHistory() {
    setAccessibleName(isOfProcesses(measure_) ? tr("Process by build") : tr("Stack by build"));
    ChartPicture picture{.why = why_, .isOld = isOld_};
    if (!history_) return setPicture(std::move(picture));
    picture.unit = isOfObjects(measure_) ? ChartUnit::Count : ChartUnit::Bytes;
    if (measure_ == fleet::Measure::Slope) picture.perUnit = tr("/h");
    ChartSeries median{tr("Median"), ChartKind::Line, ChartColor::Accent, {}};
    ChartSeries spread{tr("Up to p95"), ChartKind::Band, ChartColor::Accent, {}};
    for (const auto& at : history_->builds) {
        picture.points.categories << buildText(at.build);
        if (at.build == from_ || at.build == to_) picture.points.bold << buildText(at.build);
        median.values.push_back(static_cast<double>(at.side.median));
        spread.values.push_back(static_cast<double>(at.side.p95));
    }
    spread.lower = median.values;
    picture.series = {std::move(spread), std::move(median)};
    picture.marks = marksOf(*history_);
    picture.summary = historyDescription(*history_, measure_);
    picture.told = [history = history_, measure = measure_](std::size_t build) {
        return buildDescription(*history, measure, build);
    };
    setPicture(std::move(picture));
}

} // namespace highwater::ui

#include "moc_fleet_chart.cpp"
