#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "app/cli/traces/loaded_trace.h"
#include "core/analysis/leaks/leak_suspects.h"
#include "core/base/result.h"

#include <optional>

namespace CLI {
class App;
}

namespace highwater::cli {

/// What `leaks`, `generations` and `explain` ask about.

/// --owner and --wrapper.
void addOwners(CLI::App& command, LeaksRequest& request);
/// What is wrong with the words before the trace is read.
[[nodiscard]] std::optional<Error> wrongUsage(const LeaksRequest& request);
/// The question to this trace. Says which lines of suppressions mean nothing. Errors: Usage; NotFound.
[[nodiscard]] Result<analysis::LeakQuery> leakQuestion(const LeaksRequest& request, const LoadedTrace& trace,
                                                       const Console& console);
/// Why there is no answer: of a file of another profiler, which sums up, with the command that tells what it has.
[[nodiscard]] Error withNextCommand(Error refusal, const LeaksRequest& request, const store::PublishedTrace& trace);

} // namespace highwater::cli
