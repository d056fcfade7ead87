#pragma once

#include "core/analysis/addresses/address_history.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// Each use with times, threads and stacks, ordered by time. Errors are those of the stream.
void writeAddressText(const analysis::AddressQuery& query, const analysis::AddressHistory& history, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the trace.
void writeAddressJson(const analysis::AddressQuery& query, const analysis::AddressHistory& history,
                      const HealthReport& health, std::ostream& out);
/// "Free", "(outstanding)", "Unmatched free", ...
[[nodiscard]] std::string endText(const analysis::AddressUse& use);

} // namespace highwater::exports
