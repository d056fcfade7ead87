#pragma once

#include "core/check/sarif_writer.h"

#include <ostream>

namespace highwater::check {

/// A check as a page of HTML that needs nothing else, and runs nothing: the budget, and each stack that grew with its
/// numbers, its calls and a graph of both sides; what makes it weak; the commands that make it again. All texts of
/// traces are plain text in it.
void writeCheckPage(const CheckResult& result, const CheckFacts& facts, std::ostream& out);

} // namespace highwater::check
