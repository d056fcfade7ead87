#pragma once

#include "app/cli/traces/console.h"
#include "core/base/result.h"
#include "core/event/trace_health.h"
#include "core/export/wall_clock.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// A completely loaded trace.
struct LoadedTrace {
    std::shared_ptr<const store::PublishedTrace> rows;
    pipeline::TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
    std::uint64_t heapBlocks = 0; ///< number of allocations, even if they have no rows
};

/// Whether loadTrace() uses indexes cached by the window, which is faster. Default: yes. Call before reading any trace.
void useIndexes(bool uses);
/// Reads the files as one trace. Blocks until done.
[[nodiscard]] Result<LoadedTrace> loadTrace(const std::vector<std::string>& paths);
/// The same, but only counts heap allocations instead of storing their rows, for callers that need only the number.
[[nodiscard]] Result<LoadedTrace> loadTraceCounted(const std::vector<std::string>& paths);
/// The clock for --wall-clock, or nothing if not `isAsked`. Error: the trace has none, or `format` writes times as
/// seconds.
[[nodiscard]] Result<std::optional<exports::WallClock>> wallClock(bool isAsked, std::string_view format,
                                                                  const TraceProperties& properties);
/// Prints the data loss of the trace, one line per loss, starting with whether totals are bounds. Returns the exit code
/// for the answer: DataMissing if `isStrict` and totals are bounds.
ExitCode printDataLoss(const HealthReport& health, bool isStrict, const Console& console);
/// Prints the error and returns its exit code.
ExitCode fail(const Error& error, const Console& console);

} // namespace highwater::cli
