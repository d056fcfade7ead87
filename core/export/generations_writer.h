#pragma once

#include "core/analysis/generations/generations.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// Writes readable text: growth and kept memory of each generation, and the stacks that keep most. Errors are those of
/// the stream.
void writeGenerationsText(const analysis::GenerationsQuery& query, const analysis::GenerationsReport& report,
                          std::ostream& out);
/// One line per stack of a generation; the stack is one field, innermost first. A generation without stacks has one
/// line.
void writeGenerationsCsv(const analysis::GenerationsReport& report, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the table.
void writeGenerationsJson(const analysis::GenerationsQuery& query, const analysis::GenerationsReport& report,
                          const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
