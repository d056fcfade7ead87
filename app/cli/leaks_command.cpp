#include "app/cli/leaks_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/loaded_trace.h"
#include "app/cli/trace_symbols.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/leaks_writer.h"

namespace highwater::cli {
namespace {

/// The table that was asked for; else the one with more rows: programs that have no blocks of heaps keep pages.
Result<analysis::Table> tableOf(const LeaksRequest& request, const store::PublishedTrace& rows) {
    if (!request.table.empty()) return parseTableWord(request.table);
    return rows.heap.rows == 0 && rows.virtualAlloc.rows > 0 ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
}

/// What can be wrong before the trace is read, is said before.
std::optional<Error> wrongUsage(const LeaksRequest& request) {
    auto table = analysis::Table::Heap;
    if (!request.table.empty()) {
        const auto parsed = parseTableWord(request.table);
        if (!parsed.hasValue()) return parsed.error();
        table = parsed.value();
    }
    if (table == analysis::Table::Frees)
        return Error{ErrorKind::Usage, "Leaks are looked for in what was allocated: --table virtualalloc or heap."};
    const auto filter = parseFilters(table, request.filter, {TraceTime{0}, kNever});
    if (!filter.hasValue()) return filter.error();
    const auto range = parseRange(request.range, {TraceTime{0}, kNever});
    return range.hasValue() ? std::nullopt : std::optional(range.error());
}

void write(const LeaksRequest& request, const analysis::LeakQuery& query, const analysis::LeakReport& report,
           const HealthReport& health, std::ostream& out) {
    if (request.format == "json")
        exports::writeLeaksJson(query, report, health, out);
    else if (request.format == "csv")
        exports::writeLeaksCsv(report, out);
    else
        exports::writeLeaksText(query, report, out);
}

} // namespace

ExitCode runLeaks(const LeaksRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request)) return fail(*error, console);
    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = *trace.value().rows;
    analysis::LeakQuery query;
    query.table = tableOf(request, rows).value();
    const auto range = parseInterval(request.range, rows.wholeRange());
    if (!range.hasValue()) return fail(range.error(), console);
    query.interval = range.value();
    auto filter = parseFilters(query.table, request.filter, rows.wholeRange());
    if (!filter.hasValue()) return fail(filter.error(), console);
    query.filter = std::move(filter).value();
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in tables
    for (const auto& mark : trace.value().notes->marks)
        query.marks.push_back(mark.time);
    query.most = request.top;

    const auto labels =
        makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.value().rows, console));
    const auto report = analysis::findLeaks(rows, *labels, query);
    if (!report.hasValue()) return fail(report.error(), console);
    const auto health = analysis::healthOf(rows, query.table);
    write(request, query, report.value(), health, console.answers);
    if (report.value().suspects.empty()) {
        const auto& table = query.table == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
        console.say(table.rows == 0
                        ? analysis::whyEmpty(rows, query.table, range.value(), !request.filter.isEmpty())
                        : "Nothing that was allocated in the interval is kept at its end. What a program frees as it "
                          "ends shows in an interval that ends before.");
    }
    return sayWhatIsMissing(health, request.strict, console);
}

} // namespace highwater::cli
