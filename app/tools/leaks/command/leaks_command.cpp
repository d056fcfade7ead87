#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/leaks/command/leak_question.h"
#include "core/analysis/held/pictured_stacks.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/leaks_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {
namespace {

void write(const LeaksRequest& request, const analysis::LeakReport& report, const HealthReport& health,
           std::ostream& out) {
    if (request.format == "json")
        exports::writeLeaksJson(report, health, out);
    else if (request.format == "csv")
        exports::writeLeaksCsv(report, out);
    else
        exports::writeLeaksText(report, out);
}

std::string rangeBeforeExit(const analysis::FreedOnExit& freed) {
    const auto start = freed.range.start == TraceTime{0} ? "" : fmt::format("{:.6g}", freed.range.start.seconds());
    return fmt::format("{} To see the stacks that kept {} shortly before, add --range {}:{:.6g}.",
                       analysis::freedText(freed), bytesText(freed.bytes), start, freed.range.end.seconds());
}

/// After an answer without suspects.
std::string whyNothing(const LeaksRequest& request, const store::PublishedTrace& rows,
                       const analysis::LeakReport& report) {
    const auto searched = report.tables.front().table; // if there are two tables, both have rows
    const auto& table = searched == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
    if (table.rows == 0) return analysis::whyEmpty(rows, searched, report.interval, request.filter.words());
    return "No memory that was allocated in the interval is kept at its end. To see memory that a program frees on "
           "exit, choose an interval that ends earlier.";
}

/// Blocks from before the recording have no stack. A sentence for each process with a picture in the interval.
Result<std::vector<std::string>> untracedTexts(const store::PublishedTrace& rows, analysis::FrameLabels& labels,
                                               TimeRange interval) {
    std::vector<std::string> texts;
    const auto pictures = TRY(analysis::PicturedStacks::make(rows, labels, {interval, nullptr, {}}, {}));
    if (pictures == nullptr) return texts;
    const auto& all = pictures->pictures().all();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& picture = *all[i].picture;
        const auto process = rows.processes->key(all[i].process);
        const auto leaked = pictures->untracedUnreachableOf(i);
        if (leaked.count > 0)
            texts.push_back(fmt::format("{}: {} ({}) that {} not in the trace, such as those from before the "
                                        "recording, {} unreachable (picture at {:.2f} s).",
                                        process, counted(leaked.count, "block"), bytesText(leaked.bytes),
                                        byNumber(leaked.count, "is", "are"), byNumber(leaked.count, "is", "are"),
                                        picture.time.seconds()));
        else if (rows.heap.rows == 0)
            texts.push_back(fmt::format("{}: none of {} is unreachable (picture at {:.2f} s).", process,
                                        counted(picture.blocks.size(), "block"), picture.time.seconds()));
    }
    return texts;
}

Result<ExitCode> runLeaks(const LeaksRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request, "leaks")) return *error;
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    const auto query = TRY(leakQuestion(request, trace, console));

    const auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.rows, console), console));
    const auto answer = analysis::findLeaksAndExit(trace.rows, labels, query);
    if (!answer.hasValue()) return withNextCommand(answer.error(), request, rows);
    const auto& report = answer.value();
    const auto health = analysis::healthOf(rows, analysis::tablesIn(report.tables));
    write(request, report, health, console.answers);
    const auto untraced = TRY(untracedTexts(rows, *labels, report.interval));
    for (const auto& text : untraced)
        console.say(text);
    if (report.freedOnExit)
        console.say(rangeBeforeExit(*report.freedOnExit));
    else if (report.suspects.empty() && report.suppressed.stacks == 0 && untraced.empty())
        console.say(whyNothing(request, rows, report));
    return printDataLoss(health, request.strict, console);
}

} // namespace

Command leaksCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("leaks", "List the stacks that keep memory, most suspicious first, with reasons");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table, "both");
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
