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

/// A trace read to its end.
struct LoadedTrace {
    std::shared_ptr<const store::PublishedTrace> rows;
    pipeline::TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
    std::uint64_t heapBlocks = 0; ///< that were allocated, also where they have no rows
};

/// Whether loadTrace() takes traces that the window has opened before from what it has kept of them, which is faster.
/// Usual: yes. Before any trace is read.
void useIndexes(bool uses);
/// Reads the files as one trace and waits until that is done.
[[nodiscard]] Result<LoadedTrace> loadTrace(const std::vector<std::string>& paths);
/// The same without rows of heaps, of which only the number is known: for who asks for nothing else about them.
[[nodiscard]] Result<LoadedTrace> loadTraceCounted(const std::vector<std::string>& paths);
/// The clock that --wall-clock asks for; nothing where it does not (`isAsked`). Error: the trace has none, or `format`
/// has its times as seconds.
[[nodiscard]] Result<std::optional<exports::WallClock>> wallClock(bool isAsked, std::string_view format,
                                                                  const TraceProperties& properties);
/// Says what the trace has lost and what that means: a line per loss; first of all, if so, that totals are bounds. The
/// exit code of an answer from it: DataMissing with `isStrict`, if totals are bounds.
ExitCode sayWhatIsMissing(const HealthReport& health, bool isStrict, const Console& console);
/// Says what is wrong; the exit code for it.
ExitCode fail(const Error& error, const Console& console);

} // namespace highwater::cli
