#include "app/cli/question_commands.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/table/table_health.h"

namespace highwater::cli {

ExitCode runQuestion(TraceQuestion& question, const Console& console) {
    if (const auto error = question.wrongUsage()) return fail(*error, console);
    const auto& request = question.request;
    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = trace.value().rows;
    if (const auto error = question.prepare(*rows, *trace.value().notes)) return fail(*error, console);
    auto names = question.needsNames() ? loadSymbols(request.symbols, request.traces, rows, console) : nullptr;
    const auto labels = makeLabels(request.symbols, std::move(names), console);
    if (!labels.hasValue()) return fail(labels.error(), console);
    const auto said = question.answer(*rows, *labels.value(), console.answers);
    if (!said.hasValue()) return fail(said.error(), console);
    const bool isFound = said.value().empty();
    if (!isFound) console.say(said.value());
    const auto code = sayWhatIsMissing(analysis::healthOf(*rows, question.table()), request.strict, console);
    return isFound || !question.namesWhatToFind() ? code : ExitCode::WrongUsage;
}

} // namespace highwater::cli
