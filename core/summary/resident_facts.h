#pragma once

#include "core/base/result.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"

#include <optional>
#include <stop_token>

namespace highwater::summary {

/// The resident memory of a whole run. Nothing: the trace has no samples of it. One pass over the heap rows. Errors:
/// Cancelled.
[[nodiscard]] Result<std::optional<ResidentFacts>> residentFactsOf(const store::PublishedTrace& trace,
                                                                   const std::stop_token& stop);

} // namespace highwater::summary
