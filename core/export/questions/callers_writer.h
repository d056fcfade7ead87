#pragma once

#include "core/analysis/callers/callers.h"
#include "core/event/trace_health.h"

#include <cstdint>
#include <ostream>

namespace highwater::exports {

/// Limits for both trees; 0: no limit.
struct CallersPart {
    std::uint32_t depth = 0; ///< levels below the function
    std::uint32_t top = 0;   ///< functions per level
};

/// Callers, the function, callees; each tree indented, largest first. Errors are those of the stream.
void writeCallersText(const analysis::CallersQuery& query, const analysis::Callers& callers, CallersPart part,
                      std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the table.
void writeCallersJson(const analysis::CallersQuery& query, const analysis::Callers& callers, CallersPart part,
                      const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
