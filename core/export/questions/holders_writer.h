#pragma once

#include "core/analysis/held/holders.h"
#include "core/event/trace_health.h"
#include "core/export/json_text.h"

#include <cstddef>
#include <ostream>
#include <vector>

namespace highwater::exports {

/// The members of one holder.
[[nodiscard]] Json holderJson(const analysis::Holder& holder);

// The functions that hold resident pages, at most `top` for each process. Errors are those of the stream.

void writeHoldersText(const std::vector<analysis::ProcessHolders>& processes, std::size_t top, std::ostream& out);
void writeHoldersCsv(const std::vector<analysis::ProcessHolders>& processes, std::size_t top, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the trace.
void writeHoldersJson(const std::vector<analysis::ProcessHolders>& processes, std::size_t top,
                      const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
