#include "ui/state/fleet/fleet_table.h"

#include "core/analysis/columns/columns.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/fleet/fleet_words.h"

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

std::int64_t whole(std::uint64_t number) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
}

FleetCell optionally(const std::string& text) { return text.empty() ? FleetCell() : FleetCell(text); }
FleetCell optionally(std::optional<std::int64_t> value) { return value ? FleetCell(*value) : FleetCell(); }
FleetCell shareOf(const fleet::Side& side) { return FleetShare{whole(side.machinesWith), whole(side.machines)}; }

std::vector<FleetColumn> stackColumns() {
    return {{ui::tr("Owner"),
             ui::tr("The first function that is no allocator, no runtime and no container; below it the whole stack."),
             FleetUnit::Frame, "owner"},
            {ui::tr("Process"), ui::tr("The program, by its name."), FleetUnit::Text, "process"},
            {ui::tr("Table"), ui::tr("The kind of memory."), FleetUnit::Text, "table"}};
}

FleetColumn medianColumn(const QString& title, const char* member) {
    return {title, ui::tr("Each machine by the median of its runs; of these the median."), FleetUnit::Amount, member};
}
FleetColumn p95Column(const QString& title, const char* member) {
    return {title, ui::tr("What 95 % of the machines do not exceed."), FleetUnit::Amount, member};
}
FleetColumn machinesColumn(const char* member) {
    return {ui::tr("Machines"), ui::tr("How many of the machines have the stack in any run."), FleetUnit::Share, member};
}

FleetRow rowOf(const fleet::FleetStack& stack) {
    return {{FleetCell(stack.owner), optionally(stack.process), FleetCell(std::string(analysis::tableWord(stack.table)))},
            stack.frames};
}

void append(FleetRow& row, std::vector<FleetCell> cells) {
    row.cells.insert(row.cells.end(), cells.begin(), cells.end());
}

void fillGrew(FleetTable& table, const fleet::GrewAnswer& answer) {
    auto& columns = table.columns = stackColumns();
    columns.push_back({ui::tr("Growth"), ui::tr("After less before, of the medians. What grew most comes first."),
                       FleetUnit::Change, "growth"});
    columns.push_back(medianColumn(ui::tr("Before"), "from.median"));
    columns.push_back(medianColumn(ui::tr("After"), "to.median"));
    columns.push_back(p95Column(ui::tr("p95 Before"), "from.p95"));
    columns.push_back(p95Column(ui::tr("p95 After"), "to.p95"));
    columns.push_back(machinesColumn("to.machines"));
    columns.push_back({ui::tr("p"),
                       ui::tr("How likely noise alone would look so, by Mann and Whitney, over all runs."),
                       FleetUnit::Probability, "p"});
    for (const auto& grown : answer.rows) {
        auto row = rowOf(grown.stack);
        append(row, {grown.growth, grown.from.median, grown.to.median, grown.from.p95, grown.to.p95, shareOf(grown.to),
                     grown.p});
        table.rows.push_back(std::move(row));
    }
}

/// Of what one build has alone.
void fillPresence(FleetTable& table, const fleet::GrewAnswer& answer, bool isGone) {
    const std::string side = isGone ? "from" : "to";
    table.columns = stackColumns();
    table.columns.push_back(medianColumn(ui::tr("Median"), (side + ".median").c_str()));
    table.columns.push_back(p95Column(ui::tr("p95"), (side + ".p95").c_str()));
    table.columns.push_back(machinesColumn((side + ".machines").c_str()));
    table.columns.push_back(
        {ui::tr("Runs"), ui::tr("Runs of the build that has it."), FleetUnit::Count, side + ".runs"});
    for (const auto& found : answer.rows) {
        const auto& has = isGone ? found.from : found.to;
        auto row = rowOf(found.stack);
        append(row, {has.median, has.p95, shareOf(has), whole(has.runs)});
        table.rows.push_back(std::move(row));
    }
}

void fill(FleetTable& table, const std::vector<fleet::SlopeRow>& slopes) {
    table.measure = fleet::Measure::Slope;
    table.columns = stackColumns();
    table.columns.push_back(medianColumn(ui::tr("Slope"), "median"));
    table.columns.push_back(p95Column(ui::tr("p95"), "p95"));
    table.columns.push_back(machinesColumn("machines"));
    table.columns.push_back({ui::tr("Runs"), ui::tr("Runs of the build."), FleetUnit::Count, "runs"});
    for (const auto& slope : slopes) {
        auto row = rowOf(slope.stack);
        append(row, {slope.side.median, slope.side.p95, shareOf(slope.side), whole(slope.side.runs)});
        table.rows.push_back(std::move(row));
    }
}

void fill(FleetTable& table, const std::vector<fleet::HealthRow>& rows) {
    table.columns = {
        {ui::tr("Build"), {}, FleetUnit::Text, "build"},
        {ui::tr("Machine"), {}, FleetUnit::Text, "machine"},
        {ui::tr("Runs"), {}, FleetUnit::Count, "runs"},
        {ui::tr("Not Whole"), ui::tr("Runs whose totals are bounds."), FleetUnit::Count, "runs_not_whole"},
        {ui::tr("Events Lost"), {}, FleetUnit::Count, "events_lost"},
        {ui::tr("Buffers Lost"), {}, FleetUnit::Count, "buffers_lost"},
        {ui::tr("Stacks not Resolved"), ui::tr("Their frames were promised and never came."), FleetUnit::Count,
         "stacks_unresolved"},
        {ui::tr("Frames without Names"), ui::tr("They are called by module and address, which differ from build to "
                                                "build: their stacks look new and gone."),
         FleetUnit::Count, "frames_unnamed"}};
    for (const auto& row : rows)
        table.rows.push_back({{optionally(row.build), optionally(row.machine), whole(row.runs), whole(row.runsNotWhole),
                               whole(row.eventsLost), whole(row.buffersLost), whole(row.stacksUnresolved),
                               whole(row.framesUnnamed)},
                              {}});
}

std::string labelsText(const summary::RunFacts& facts) {
    std::string text;
    for (const auto& [name, value] : facts.labels)
        text += (text.empty() ? "" : ", ") + name + "=" + value;
    return text;
}

FleetColumn wholeColumn() {
    return {ui::tr("Whole"), ui::tr("No: something of it was lost, and its totals are bounds."), FleetUnit::YesNo,
            "whole"};
}

void fill(FleetTable& table, const std::vector<fleet::RunRow>& runs) {
    table.columns = {{ui::tr("Recorded"), {}, FleetUnit::Recorded, "recorded"},
                     {ui::tr("Build"), {}, FleetUnit::Text, "build"},
                     {ui::tr("Machine"), {}, FleetUnit::Text, "machine"},
                     {ui::tr("Scenario"), {}, FleetUnit::Text, "scenario"},
                     {ui::tr("Outstanding"), ui::tr("Of all stacks, when the run ended."), FleetUnit::Bytes,
                      "inuse_space"},
                     {ui::tr("Duration"), {}, FleetUnit::Duration, "duration"},
                     {ui::tr("Events Lost"), {}, FleetUnit::Count, "events_lost"},
                     wholeColumn(),
                     {ui::tr("Samples"), ui::tr("How many stacks, windows and processes of it the store has."),
                      FleetUnit::Count, "samples"},
                     {ui::tr("Trace"), ui::tr("Where it lay when it was added."), FleetUnit::Path, "trace"},
                     {ui::tr("Labels"), {}, FleetUnit::Text, "labels"},
                     {ui::tr("Run"), ui::tr("Names it, wherever its trace lies."), FleetUnit::Text, "run"}};
    for (const auto& row : runs) {
        const auto& facts = row.facts;
        table.rows.push_back({{optionally(facts.recordedAt), optionally(facts.build), optionally(facts.machine),
                               optionally(facts.scenario), row.inuseSpace, facts.duration, whole(facts.eventsLost),
                               std::int64_t{facts.isWhole}, whole(row.sampleCount), optionally(facts.trace),
                               optionally(labelsText(facts)), optionally(facts.run)},
                              {}});
    }
}

QString shareText(const FleetShare& share) {
    return ui::tr("%1 of %2").arg(formatCount(share.with), formatCount(share.of));
}

QString numberText(const FleetTable& table, FleetUnit unit, std::int64_t value) {
    switch (unit) {
    case FleetUnit::Amount:
        return fleetAmount(table.measure, value);
    case FleetUnit::Change:
        return fleetChange(table.measure, value);
    case FleetUnit::Bytes:
        return formatBytes(value);
    case FleetUnit::Recorded:
        return recordedText(value);
    case FleetUnit::Time:
        return formatTime({value});
    case FleetUnit::Duration:
        return formatDuration(value);
    case FleetUnit::YesNo:
        return value != 0 ? ui::tr("yes") : ui::tr("no");
    default:
        return formatCount(value);
    }
}

QString probabilityText(double p) {
    return p < 0.0001 ? QStringLiteral("< 0.0001") : QString::number(p, 'f', 4);
}

} // namespace

FleetTable tableOf(const FleetAnswer& answer) {
    FleetTable table;
    table.measure = answer.question.samples.measure;
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found)) {
        if (answer.question.kind == FleetKind::Grew)
            fillGrew(table, *grew);
        else
            fillPresence(table, *grew, answer.question.kind == FleetKind::Gone);
    } else if (const auto* slopes = std::get_if<std::vector<fleet::SlopeRow>>(&answer.found)) {
        fill(table, *slopes);
    } else if (const auto* health = std::get_if<std::vector<fleet::HealthRow>>(&answer.found)) {
        fill(table, *health);
    } else {
        fill(table, std::get<std::vector<fleet::RunRow>>(answer.found));
    }
    return table;
}

FleetTable tableOf(const FleetWorst& worst) {
    FleetTable table;
    table.measure = worst.question.samples.measure;
    table.columns = {
        {ui::tr("Recorded"), {}, FleetUnit::Recorded, "recorded"},
        {ui::tr("Build"), {}, FleetUnit::Text, "build"},
        {ui::tr("Machine"), {}, FleetUnit::Text, "machine"},
        {fleetMeasureText(table.measure), ui::tr("Of this stack in the run, the largest first."), FleetUnit::Amount,
         "value"},
        {ui::tr("First Row"), ui::tr("When the stack allocated first in the window."), FleetUnit::Time, "first"},
        {ui::tr("Last Row"), ui::tr("When it allocated last."), FleetUnit::Time, "last"},
        {ui::tr("Scenario"), {}, FleetUnit::Text, "scenario"},
        {ui::tr("Process"), {}, FleetUnit::Text, "process"},
        wholeColumn(),
        {ui::tr("Trace"), ui::tr("Where it lay when it was added."), FleetUnit::Path, "trace"},
        {ui::tr("Run"), ui::tr("Names it, wherever its trace lies."), FleetUnit::Text, "run"}};
    for (const auto& run : worst.runs) {
        const auto& facts = run.facts;
        table.rows.push_back({{optionally(facts.recordedAt), optionally(facts.build), optionally(facts.machine),
                               run.value, run.first, run.last, optionally(facts.scenario), optionally(run.process),
                               std::int64_t{facts.isWhole}, optionally(facts.trace), optionally(facts.run)},
                              {}});
    }
    return table;
}

QString cellText(const FleetTable& table, const FleetColumn& column, const FleetCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return text->empty() && column.unit == FleetUnit::Frame ? ui::tr("(no stack)") : lineText(*text);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return numberText(table, column.unit, *number);
    if (const auto* part = std::get_if<double>(&cell)) return probabilityText(*part);
    if (const auto* share = std::get_if<FleetShare>(&cell)) return shareText(*share);
    return {};
}

const fleet::FleetStack* stackOf(const FleetAnswer& answer, std::size_t row) {
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found))
        return row < grew->rows.size() ? &grew->rows[row].stack : nullptr;
    if (const auto* slopes = std::get_if<std::vector<fleet::SlopeRow>>(&answer.found))
        return row < slopes->size() ? &(*slopes)[row].stack : nullptr;
    return nullptr;
}

} // namespace highwater::ui
