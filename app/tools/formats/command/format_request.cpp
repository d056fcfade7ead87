#include "app/tools/formats/command/format_request.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/formats/command/stop_by_signal.h"
#include "core/files/whole_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace highwater::cli {
namespace {

using analysis::Table;

constexpr TimeRange kAnyTime{TraceTime{0}, kNever};

Table tableIn(const FormatRequest& request, const store::PublishedTrace& rows) {
    if (!request.table.empty()) return parseTableWord(request.table).value();
    return rows.heap.rows == 0 && rows.virtualAlloc.rows > 0 ? Table::VirtualAlloc : Table::Heap;
}

} // namespace

void addRows(CLI::App& command, FormatRequest& request) {
    addRange(command, request.range);
    addFilters(command, request.filter);
    addSymbols(command, request.symbols);
    addProcessExit(command, request.processExitFreesHeap);
    addStrict(command, request.strict);
}

std::optional<Error> wrongUsage(const FormatRequest& request) {
    auto table = Table::Heap;
    if (!request.table.empty()) {
        table = TRY(parseTableWord(request.table));
    }
    TRY(parseLabelledFilters(table, request.filter, kAnyTime));
    TRY(parseRange(request.range, kAnyTime));
    return wrongOutput(request);
}

Result<FormatQuestion> ask(const FormatRequest& request, const Console& console) {
    auto loaded = TRY(loadTrace(request.traces));
    FormatQuestion question{std::move(loaded), {}, {}, {}, nullptr};
    const auto& rows = question.trace.rows;
    question.table = tableIn(request, *rows);
    question.interval = TRY(parseInterval(request.range, rows->wholeRange()));
    auto filter =
        TRY(parseLabelledFilters(question.table, request.filter, rows->wholeRange(), question.trace.notes.get()));
    question.filter = std::move(filter);
    auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, rows, console), console));
    question.labels = std::move(labels);
    return question;
}

std::optional<Error> wrongOutput(const FormatRequest& request) {
    if (isToStdout(request)) return std::nullopt;
    for (const auto& trace : request.traces) {
        std::error_code unknown;
        if (std::filesystem::equivalent(trace, request.output, unknown))
            return Error{ErrorKind::Usage,
                         fmt::format("{} is the trace itself. Choose another name for --output.", request.output)};
    }
    return std::nullopt;
}

Result<void> writeAnswer(const FormatRequest& request, const Console& console,
                         const std::function<Result<void>(std::ostream&, const std::stop_token&)>& write) {
    if (isToStdout(request)) return write(console.answers, {});
    const StopBySignal signals;
    return writeWholeFile(request.output, [&](std::ostream& out) { return write(out, signals.token()); });
}

} // namespace highwater::cli
