#pragma once

#include "core/base/result.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::summary {

/// The resident memory of a whole run, by the names of its processes. Empty: the trace has no samples of it. One pass
/// over the heap rows. Errors: Cancelled.
[[nodiscard]] Result<std::vector<ResidentFacts>> residentFactsOf(const store::PublishedTrace& trace,
                                                                 const std::stop_token& stop);

/// The highest Rss of a process of the run, without the memory of Highwater, and the Held Pages of all of them
/// together. Nothing: unknown.
[[nodiscard]] std::optional<std::int64_t> rssPeakOf(const RunFacts& facts);
[[nodiscard]] std::optional<std::int64_t> heldOf(const RunFacts& facts);

} // namespace highwater::summary
