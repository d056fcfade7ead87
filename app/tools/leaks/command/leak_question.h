#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "app/cli/traces/loaded_trace.h"
#include "core/analysis/leaks/leak_suspects.h"
#include "core/base/result.h"

#include <optional>
#include <string_view>

namespace CLI {
class App;
}

namespace highwater::cli {

/// The query of `leaks`, `generations` and `explain`.

/// --owner and --wrapper.
void addOwners(CLI::App& command, LeaksRequest& request);
/// Validates the arguments of the command with this name before the trace is read.
[[nodiscard]] std::optional<Error> wrongUsage(const LeaksRequest& request, std::string_view command);
/// Resolves the query for this trace: of both tables, unless the request names one. Prints invalid lines of
/// suppressions. Errors: Usage; NotFound.
[[nodiscard]] Result<analysis::LeakQuery> leakQuestion(const LeaksRequest& request, const LoadedTrace& trace,
                                                       const Console& console);
/// Extends the error for a summarized file of another profiler with a command that shows its data.
[[nodiscard]] Error withNextCommand(Error refusal, const LeaksRequest& request, const store::PublishedTrace& trace);

} // namespace highwater::cli
