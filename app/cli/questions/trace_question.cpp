#include "app/cli/questions/trace_question.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/table/table_health.h"

#include <utility>

namespace highwater::cli {

Result<ExitCode> ask(TraceQuestion& question, const Console& console) {
    if (const auto error = question.wrongUsage()) return *error;
    const auto& request = question.request;
    const bool hasTrace = question.needsTrace() || !request.traces.empty();
    const auto trace = TRY(hasTrace ? loadTrace(request.traces) : LoadedTrace());
    const auto rows = TRY(question.complete(trace.rows));
    if (const auto error = question.prepare(*rows, hasTrace ? *trace.notes : TraceNotes())) return *error;
    auto names = question.needsNames() ? loadSymbols(request.symbols, request.traces, rows, console) : nullptr;
    const auto labels = TRY(makeLabels(request.symbols, std::move(names), console));
    const auto said = TRY(question.answer(*rows, *labels, console.answers));
    const bool isFound = said.empty();
    if (!isFound) console.say(said);
    const auto code = request.saysHealth
                          ? printDataLoss(analysis::healthOf(*rows, question.table()), request.strict, console)
                          : ExitCode::Done;
    return isFound || !question.requiresMatch() ? code : ExitCode::WrongUsage;
}

Command asking(CLI::App& options, std::shared_ptr<TraceQuestion> question) {
    return {&options, [question = std::move(question)](const Console& console) { return ask(*question, console); }};
}

} // namespace highwater::cli
