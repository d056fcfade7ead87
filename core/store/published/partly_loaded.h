#pragma once

#include "core/store/published/published_trace.h"

#include <memory>

namespace highwater::store {

/// The same prefix, with a remark that the rest of the trace was not loaded. Answers and exports then report its totals
/// as bounds, exact before its horizon. Any thread.
[[nodiscard]] std::shared_ptr<const PublishedTrace> partlyLoaded(const std::shared_ptr<const PublishedTrace>& trace);
[[nodiscard]] bool isPartlyLoaded(const PublishedTrace& trace);

} // namespace highwater::store
