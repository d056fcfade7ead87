#include "app/cli/generations_command.h"

#include "app/cli/leak_question.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/generations/generations.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/generations_writer.h"

#include <fmt/format.h>

namespace highwater::cli {
namespace {

/// The same rows as of leaks.
analysis::GenerationsQuery generationsOf(analysis::LeakQuery asked, const GenerationsRequest& request) {
    analysis::GenerationsQuery query;
    query.table = asked.table;
    query.interval = asked.interval;
    query.filter = std::move(asked.filter);
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.allocatorFrames = std::move(asked.allocatorFrames);
    query.marks = std::move(asked.marks);
    query.most = request.rows.top;
    return query;
}

void write(const std::string& format, const analysis::GenerationsQuery& query,
           const analysis::GenerationsReport& report, const HealthReport& health, std::ostream& out) {
    if (format == "json")
        exports::writeGenerationsJson(query, report, health, out);
    else if (format == "csv")
        exports::writeGenerationsCsv(report, out);
    else
        exports::writeGenerationsText(query, report, out);
}

} // namespace

ExitCode runGenerations(const GenerationsRequest& request, const Console& console) {
    const auto& asked = request.rows;
    if (const auto error = wrongUsage(asked)) return fail(*error, console);
    const auto trace = loadTrace(asked.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = *trace.value().rows;
    const auto question = leakQuestion(asked, trace.value(), console);
    if (!question.hasValue()) return fail(question.error(), console);
    const auto query = generationsOf(question.value(), request);

    const auto labels =
        makeLabels(asked.symbols, loadSymbols(asked.symbols, asked.traces, trace.value().rows, console), console);
    if (!labels.hasValue()) return fail(labels.error(), console);
    const auto report = analysis::countGenerations(rows, *labels.value(), query);
    if (!report.hasValue()) return fail(withNextCommand(report.error(), asked, rows), console);
    const auto health = analysis::healthOf(rows, query.table);
    write(asked.format, query, report.value(), health, console.answers);
    if (report.value().marks == 0)
        console.say(fmt::format("The interval has no marks: it is one generation. {}", analysis::kHowMarksAreMade));
    const auto& table = query.table == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
    if (table.rows == 0) console.say(analysis::whyEmpty(rows, query.table, query.interval, asked.filter.words()));
    return sayWhatIsMissing(health, asked.strict, console);
}

} // namespace highwater::cli
