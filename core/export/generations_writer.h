#pragma once

#include "core/analysis/generations/generations.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// Generations for people: what each grew by and keeps, and the stacks that keep most. Errors are those of the stream.
void writeGenerationsText(const analysis::GenerationsQuery& query, const analysis::GenerationsReport& report,
                          std::ostream& out);
/// A line per stack of a generation, the stack in one field, innermost first. A generation without any has one line.
void writeGenerationsCsv(const analysis::GenerationsReport& report, std::ostream& out);
/// The shape of docs/command-line.md, with the health of the table.
void writeGenerationsJson(const analysis::GenerationsQuery& query, const analysis::GenerationsReport& report,
                          const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
