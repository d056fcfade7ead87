#pragma once

#include "app/cli/questions/trace_question.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Reads the trace, finds names where they are needed, asks, and says what is missing.
Result<ExitCode> runQuestion(TraceQuestion& question, const Console& console);

} // namespace highwater::cli
