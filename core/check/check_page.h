#pragma once

#include "core/check/sarif_writer.h"

#include <ostream>

namespace highwater::check {

/// Writes a check as a self-contained HTML page without scripts: the budget, each stack that grew with its numbers,
/// calls and a graph of both sides, the limitations of the check, and the commands that repeat it. All text from traces
/// is escaped.
void writeCheckPage(const CheckResult& result, const CheckFacts& facts, std::ostream& out);

} // namespace highwater::check
