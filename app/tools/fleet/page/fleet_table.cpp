#include "app/tools/fleet/page/fleet_table.h"

#include "app/tools/fleet/page/fleet_words.h"
#include "core/analysis/columns/columns.h"
#include "core/summary/resident_facts.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace highwater::ui {
namespace {

std::int64_t whole(std::uint64_t number) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
}

FleetCell optionally(const std::string& text) { return text.empty() ? FleetCell() : FleetCell(text); }
FleetCell optionally(std::optional<std::int64_t> value) { return value ? FleetCell(*value) : FleetCell(); }
FleetCell shareOf(const fleet::Side& side) { return FleetShare{whole(side.machinesWith), whole(side.machines)}; }

FleetColumn ownerColumn() {
    return {ui::tr("Owner"),
            ui::tr("The first function outside allocators, runtimes and containers, with the whole stack below it."),
            FleetUnit::Frame};
}

FleetColumn medianColumn(const QString& title) {
    return {title, ui::tr("The median over machines. Each machine is represented by the median of its runs."),
            FleetUnit::Amount};
}
FleetColumn p95Column(const QString& title) {
    return {title, ui::tr("The value that 95 % of the machines do not exceed."), FleetUnit::Amount};
}
FleetColumn machinesColumn() {
    return {ui::tr("Machines"), ui::tr("Number of machines that have the stack in any run."), FleetUnit::Share};
}
FleetColumn processColumn() { return {ui::tr("Process"), ui::tr("The program name."), FleetUnit::Text}; }

/// Numbers are next to the owner; the details of the stack follow them.
void addStackColumns(FleetTable& table, std::vector<FleetColumn> numbers) {
    table.columns.push_back(ownerColumn());
    table.columns.insert(table.columns.end(), numbers.begin(), numbers.end());
    table.columns.push_back(processColumn());
    table.columns.push_back({ui::tr("Table"), ui::tr("The kind of memory."), FleetUnit::Text});
}

void addStack(FleetTable& table, const fleet::FleetStack& stack, std::vector<FleetCell> numbers) {
    FleetRow row{{FleetCell(stack.owner)}, stack.frames};
    row.cells.insert(row.cells.end(), numbers.begin(), numbers.end());
    row.cells.push_back(optionally(stack.process));
    row.cells.emplace_back(std::string(analysis::tableWord(stack.table)));
    table.rows.push_back(std::move(row));
}

std::vector<FleetColumn> grownColumns() {
    return {
        {ui::tr("Growth"), ui::tr("After minus before, by median. The largest growth is first."), FleetUnit::Change},
        medianColumn(ui::tr("Before")),
        medianColumn(ui::tr("After")),
        machinesColumn(),
        {ui::tr("p"),
         ui::tr("The probability of a difference at least this large by chance (Mann-Whitney test over all runs)."),
         FleetUnit::Probability},
        p95Column(ui::tr("p95 Before")),
        p95Column(ui::tr("p95 After"))};
}

std::vector<FleetCell> grownCells(const fleet::GrownStack& grown) {
    return {grown.growth, grown.from.median, grown.to.median, shareOf(grown.to), grown.p, grown.from.p95, grown.to.p95};
}

void fillGrew(FleetTable& table, const fleet::GrewAnswer& answer) {
    addStackColumns(table, grownColumns());
    for (const auto& grown : answer.rows)
        addStack(table, grown.stack, grownCells(grown));
}

void fillGrownProcesses(FleetTable& table, const fleet::GrewAnswer& answer) {
    table.columns = grownColumns();
    table.columns.insert(table.columns.begin(), processColumn());
    const auto machines = std::ranges::find(table.columns, FleetUnit::Share, &FleetColumn::unit);
    machines->help = ui::tr("Number of machines on which it is not 0, of those with samples of resident memory.");
    for (const auto& grown : answer.rows) {
        table.rows.push_back({grownCells(grown), {}});
        table.rows.back().cells.insert(table.rows.back().cells.begin(), FleetCell(grown.stack.process));
    }
}

/// Columns of stacks that exist in only one build.
void fillPresence(FleetTable& table, const fleet::GrewAnswer& answer, bool isGone) {
    addStackColumns(table, {medianColumn(ui::tr("Median")),
                            p95Column(ui::tr("p95")),
                            machinesColumn(),
                            {ui::tr("Runs"), ui::tr("Runs of the build that contains the stack."), FleetUnit::Count}});
    for (const auto& found : answer.rows) {
        const auto& has = isGone ? found.from : found.to;
        addStack(table, found.stack, {has.median, has.p95, shareOf(has), whole(has.runs)});
    }
}

void fill(FleetTable& table, const std::vector<fleet::SlopeRow>& slopes) {
    table.measure = fleet::Measure::Slope;
    addStackColumns(table, {medianColumn(ui::tr("Slope")),
                            p95Column(ui::tr("p95")),
                            machinesColumn(),
                            {ui::tr("Runs"), ui::tr("Runs of the build."), FleetUnit::Count}});
    for (const auto& slope : slopes)
        addStack(table, slope.stack, {slope.side.median, slope.side.p95, shareOf(slope.side), whole(slope.side.runs)});
}

void fill(FleetTable& table, const std::vector<fleet::HealthRow>& rows) {
    table.columns = {{ui::tr("Build"), {}, FleetUnit::Text},
                     {ui::tr("Machine"), {}, FleetUnit::Text},
                     {ui::tr("Runs"), {}, FleetUnit::Count},
                     {ui::tr("Incomplete"), ui::tr("Runs whose totals are bounds."), FleetUnit::Count},
                     {ui::tr("Events Lost"), {}, FleetUnit::Count},
                     {ui::tr("Buffers Lost"), {}, FleetUnit::Count},
                     {ui::tr("Stacks Without Frames"),
                      ui::tr("Stacks that the recordings refer to but do not contain."), FleetUnit::Count},
                     {ui::tr("Frames Without Names"),
                      ui::tr("They are shown by module and address, which differ between builds, so their stacks "
                             "appear as new and gone."),
                      FleetUnit::Count}};
    for (const auto& row : rows)
        table.rows.push_back(
            {{optionally(row.build), optionally(row.machine), whole(row.runs), whole(row.runsNotWhole),
              whole(row.eventsLost), whole(row.buffersLost), whole(row.stacksUnresolved), whole(row.framesUnnamed)},
             {}});
}

std::string labelsText(const summary::RunFacts& facts) {
    std::string text;
    for (const auto& [name, value] : facts.labels)
        text += (text.empty() ? "" : ", ") + name + "=" + value;
    return text;
}

FleetColumn wholeColumn() {
    return {ui::tr("Complete"), ui::tr("No: data was lost, so its totals are bounds."), FleetUnit::YesNo};
}

void fill(FleetTable& table, const std::vector<fleet::RunRow>& runs) {
    table.columns = {
        {ui::tr("Recorded"), {}, FleetUnit::Recorded},
        {ui::tr("Build"), {}, FleetUnit::Text},
        {ui::tr("Machine"), {}, FleetUnit::Text},
        {ui::tr("Scenario"), {}, FleetUnit::Text},
        {ui::tr("Outstanding"), ui::tr("Memory outstanding in all stacks at the end of the run."), FleetUnit::Bytes},
        {fleetMeasureText(fleet::Measure::RssPeak),
         ui::tr("The highest Rss of a process. Empty: the recording has no samples of resident memory."),
         FleetUnit::Bytes},
        {fleetMeasureText(fleet::Measure::Held), ui::tr("The pages that heap blocks keep in RAM. Empty: unknown."),
         FleetUnit::Bytes},
        {ui::tr("Duration"), {}, FleetUnit::Duration},
        {ui::tr("Events Lost"), {}, FleetUnit::Count},
        wholeColumn(),
        {ui::tr("Samples"), ui::tr("Number of stacks, windows and processes of the run in the store."),
         FleetUnit::Count},
        {ui::tr("Trace"), ui::tr("Path of the trace when it was added."), FleetUnit::Path},
        {ui::tr("Labels"), {}, FleetUnit::Text},
        {ui::tr("Run"), ui::tr("Identifies the run regardless of where its trace is."), FleetUnit::Text}};
    for (const auto& row : runs) {
        const auto& facts = row.facts;
        table.rows.push_back(
            {{optionally(facts.recordedAt), optionally(facts.build), optionally(facts.machine),
              optionally(facts.scenario), row.inuseSpace, optionally(summary::rssPeakOf(facts)),
              optionally(summary::heldOf(facts)), facts.duration, whole(facts.eventsLost), std::int64_t{facts.isWhole},
              whole(row.sampleCount), optionally(facts.trace), optionally(labelsText(facts)), optionally(facts.run)},
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

QString probabilityText(double p) { return p < 0.0001 ? QStringLiteral("< 0.0001") : QString::number(p, 'f', 4); }

} // namespace

FleetTable tableOf(const FleetAnswer& answer) {
    FleetTable table;
    table.measure = answer.question.samples.measure;
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found)) {
        if (isOfProcesses(table.measure))
            fillGrownProcesses(table, *grew);
        else if (answer.question.kind == FleetKind::Grew)
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
    const bool isOfStack = !isOfProcesses(table.measure);
    const auto help = isOfStack ? ui::tr("Memory of this stack in the run, largest first.")
                                : ui::tr("Memory of this process in the run, largest first.");
    table.columns = {{ui::tr("Machine"), {}, FleetUnit::Text},
                     {ui::tr("Build"), {}, FleetUnit::Text},
                     {fleetMeasureText(table.measure), help, FleetUnit::Amount}};
    if (isOfStack) {
        table.columns.push_back({ui::tr("First Allocation"),
                                 ui::tr("Time of the first allocation of the stack in the window."), FleetUnit::Time});
        table.columns.push_back({ui::tr("Last Allocation"), ui::tr("Time of its last allocation."), FleetUnit::Time});
    }
    const std::array others{
        FleetColumn{ui::tr("Recorded"), {}, FleetUnit::Recorded},
        FleetColumn{ui::tr("Scenario"), {}, FleetUnit::Text},
        FleetColumn{ui::tr("Process"), {}, FleetUnit::Text},
        wholeColumn(),
        FleetColumn{ui::tr("Trace"), ui::tr("Path of the trace when it was added."), FleetUnit::Path},
        FleetColumn{ui::tr("Run"), ui::tr("Identifies the run regardless of where its trace is."), FleetUnit::Text}};
    table.columns.insert(table.columns.end(), others.begin(), others.end());
    for (const auto& run : worst.runs) {
        const auto& facts = run.facts;
        FleetRow row{{optionally(facts.machine), optionally(facts.build), run.value}, {}};
        if (isOfStack) row.cells.insert(row.cells.end(), {run.first, run.last});
        row.cells.insert(row.cells.end(),
                         {optionally(facts.recordedAt), optionally(facts.scenario), optionally(run.process),
                          std::int64_t{facts.isWhole}, optionally(facts.trace), optionally(facts.run)});
        table.rows.push_back(std::move(row));
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
