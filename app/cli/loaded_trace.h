#pragma once

#include "app/cli/console.h"
#include "core/base/result.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {

/// A trace read to its end.
struct LoadedTrace {
    std::shared_ptr<const store::PublishedTrace> rows;
    pipeline::TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
};

/// Reads the files as one trace and waits until that is done.
[[nodiscard]] Result<LoadedTrace> loadTrace(const std::vector<std::string>& paths);
/// Says what is wrong; the exit code for it.
ExitCode fail(const Error& error, const Console& console);

} // namespace highwater::cli
