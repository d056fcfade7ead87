#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/leaks/command/leak_question.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/leaks_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace highwater::cli {
namespace {

void write(const LeaksRequest& request, const analysis::LeakQuery& query, const analysis::LeakReport& report,
           const HealthReport& health, std::ostream& out) {
    if (request.format == "json")
        exports::writeLeaksJson(query, report, health, out);
    else if (request.format == "csv")
        exports::writeLeaksCsv(report, out);
    else
        exports::writeLeaksText(query, report, out);
}

/// Outstanding bytes at the end of the interval minus those at its start; 0 if that is unknown.
SignedByteCount growthIn(const LoadedTrace& trace, const std::shared_ptr<analysis::FrameLabels>& labels,
                         const analysis::LeakQuery& leaks, TimeRange interval) {
    analysis::Query query;
    query.table = leaks.table;
    query.interval = interval;
    query.columns = {analysis::Column::ImpactingSize};
    query.filter = leaks.filter;
    query.marks = leaks.marks;
    const auto table = analysis::GroupedTable::compute(trace.rows, labels, query);
    if (!table.hasValue()) return 0;
    const auto value = table.value()->value(analysis::GroupedTable::kRoot, analysis::Column::ImpactingSize);
    const auto* bytes = std::get_if<std::int64_t>(&value);
    return bytes == nullptr ? 0 : *bytes;
}

/// Many programs free their containers as they exit, and with them the leaks. Looks at the memory shortly before the
/// latest exit in the interval. Empty: most of it is kept at the end.
std::string freedOnExit(const LoadedTrace& trace, const std::shared_ptr<analysis::FrameLabels>& labels,
                        const analysis::LeakQuery& query, const analysis::LeakReport& report) {
    constexpr SignedByteCount kLeast = 64 << 10;
    constexpr std::int64_t kPartOfLife = 50, kTimesKept = 4;
    const store::ProcessInstance* last = nullptr;
    for (const auto& process : trace.rows->processes->processes()) {
        const bool isInside = process.end > report.interval.start && process.end <= report.interval.end;
        if (isInside && (last == nullptr || process.end > last->end)) last = &process;
    }
    if (last == nullptr) return {};
    const auto start = std::max(report.interval.start, last->start);
    const TimeRange before{report.interval.start, TraceTime{last->end.ns - (last->end.ns - start.ns) / kPartOfLife}};
    const auto bytes = before.isEmpty() ? 0 : growthIn(trace, labels, query, before);
    if (bytes < kLeast || bytes / kTimesKept < static_cast<SignedByteCount>(report.keptBytes)) return {};
    const auto first = before.start == TraceTime{0} ? "" : fmt::format("{:.6g}", before.start.seconds());
    return fmt::format("Most of the memory was freed as {} exited, and is not listed. To see the stacks that kept {} "
                       "shortly before, add --range {}:{:.6g}.",
                       last->name, bytesText(static_cast<std::uint64_t>(bytes)), first, before.end.seconds());
}

Result<ExitCode> runLeaks(const LeaksRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request)) return *error;
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    const auto query = TRY(leakQuestion(request, trace, console));

    const auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.rows, console), console));
    const auto report = analysis::findLeaks(rows, *labels, query);
    if (!report.hasValue()) return withNextCommand(report.error(), request, rows);
    const auto health = analysis::healthOf(rows, query.table);
    write(request, query, report.value(), health, console.answers);
    const auto freed = freedOnExit(trace, labels, query, report.value());
    if (!freed.empty())
        console.say(freed);
    else if (report.value().suspects.empty() && report.value().suppressed.stacks == 0) {
        const auto& table = query.table == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
        console.say(table.rows == 0 ? analysis::whyEmpty(rows, query.table, query.interval, request.filter.words())
                                    : "No memory that was allocated in the interval is kept at its end. To see memory "
                                      "that a program frees on exit, choose an interval that ends earlier.");
    }
    return printDataLoss(health, request.strict, console);
}

} // namespace

Command leaksCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("leaks", "List the stacks that keep memory, most suspicious first, with reasons");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table);
    addRange(command, request->range);
    addFilters(command, request->filter);
    command.add_option("--top", request->top, "Number of suspects to list (default: 10)")->check(CLI::Range(1u, 512u));
    addSymbols(command, request->symbols);
    addSuppressions(command, request->suppressions);
    addOwners(command, *request);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "text, csv or json (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json"}));
    return {&command, [request](const Console& console) { return runLeaks(*request, console); }};
}

} // namespace highwater::cli
