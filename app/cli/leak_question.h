#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/loaded_trace.h"
#include "core/analysis/leaks/leak_suspects.h"
#include "core/base/result.h"

#include <optional>

namespace highwater::cli {

/// What `leaks`, `generations` and `explain` ask about.

/// What is wrong with the words before the trace is read.
[[nodiscard]] std::optional<Error> wrongUsage(const LeaksRequest& request);
/// The question to this trace. Errors: Usage.
[[nodiscard]] Result<analysis::LeakQuery> leakQuestion(const LeaksRequest& request, const LoadedTrace& trace);

} // namespace highwater::cli
