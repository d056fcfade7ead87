#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

#include <functional>

namespace highwater::cli {

/// `record --snapshots-by-wpr`: Windows itself takes heap snapshots of processes that run, at the begin, at the end and
/// every so many seconds, into a trace of its own.
[[nodiscard]] Result<ExitCode> recordSnapshotsByWpr(const RecordRequest& request,
                                                    const std::function<bool()>& isInterrupted, const Console& console);

} // namespace highwater::cli
