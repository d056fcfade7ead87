#pragma once

#include "core/analysis/held/held_by.h"
#include "core/event/trace_health.h"

#include <ostream>
#include <vector>

namespace highwater::exports {

/// Writes the first `most` holders of each process. Errors are those of the stream.
void writeHeldByText(const std::vector<analysis::HeldBy>& found, std::size_t most, std::ostream& out);
/// One line per holder.
void writeHeldByCsv(const std::vector<analysis::HeldBy>& found, std::size_t most, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the trace.
void writeHeldByJson(const std::vector<analysis::HeldBy>& found, std::size_t most, const HealthReport& health,
                     std::ostream& out);

} // namespace highwater::exports
