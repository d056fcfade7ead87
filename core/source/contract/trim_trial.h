#pragma once

#include "core/base/result.h"
#include "core/event/trial/trim_trial.h"

#include <cstdint>
#include <stop_token>

namespace highwater::source {

/// Runs malloc_trim in a copy of a running process (a fork of which the process gets no notice); its own memory does
/// not change. A thread of the process is stopped for about 20 ms for each GB of resident memory. The copy lives at
/// most two seconds; meanwhile, the process copies each page that it writes to.
///
/// Only Linux. The process need not be recorded; the agent is loaded as for attaching, and stays inactive. Fails as
/// attaching does, if too little memory is free, if the process would become the parent of the copy (process 1 of a
/// container), if the copy does not end in time, or if a stop is requested (Cancelled). Blocks; any thread.
[[nodiscard]] Result<TrimTrial> tryTrim(std::uint32_t pid, const std::stop_token& stop = {});

} // namespace highwater::source
