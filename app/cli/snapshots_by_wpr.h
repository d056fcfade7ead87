#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

#include <functional>

namespace highwater::cli {

/// `record --snapshots-by-wpr`: lets Windows take heap snapshots of running processes at the start, at the end and
/// every N seconds, and write them to a separate trace.
[[nodiscard]] Result<ExitCode> recordSnapshotsByWpr(const RecordRequest& request,
                                                    const std::function<bool()>& isInterrupted, const Console& console);

} // namespace highwater::cli
