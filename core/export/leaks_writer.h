#pragma once

#include "core/analysis/leaks/leak_suspects.h"
#include "core/event/trace_health.h"
#include "core/export/json_text.h"

#include <ostream>
#include <string>

namespace highwater::exports {

/// Writes readable text: owner, reason and stack of each suspect. Errors are those of the stream.
void writeLeaksText(const analysis::LeakQuery& query, const analysis::LeakReport& report, std::ostream& out);
/// One line per suspect; its stack is one field, innermost first.
void writeLeaksCsv(const analysis::LeakReport& report, std::ostream& out);
/// In the format of docs/command-line.md, with the health of the table.
void writeLeaksJson(const analysis::LeakQuery& query, const analysis::LeakReport& report, const HealthReport& health,
                    std::ostream& out);
/// "suppressed: 3 stacks, 12.0 KB of 40 allocations".
[[nodiscard]] std::string suppressedText(const analysis::SuppressedLeaks& suppressed);
/// The member "suppressed" of that JSON.
[[nodiscard]] Json suppressedJson(const analysis::SuppressedLeaks& suppressed);
/// An element of the member "suspects".
[[nodiscard]] Json leakSuspectJson(std::size_t rank, const analysis::LeakSuspect& suspect);

} // namespace highwater::exports
