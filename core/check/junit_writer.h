#pragma once

#include "core/check/check_runs.h"

#include <ostream>
#include <string>
#include <string_view>

namespace highwater::check {

/// A check as a report of tests in JUnit's XML, as Jenkins, GitLab and their like read it: a test for each line of the
/// budget, skipped where it matches nothing, and one for each stack that grew, or, where there was something to
/// compare with, one that says that none did. No two tests of one group have the same name.
void writeJunit(const CheckResult& result, std::ostream& out);

/// "keeps 3.8 KB more: 37.5 KB before, 41.2 KB after".
[[nodiscard]] std::string growthText(const GrownStack& stack);
/// "1 more stack grew and is suppressed: 3.8 KB."; empty: none did.
[[nodiscard]] std::string suppressedText(const SuppressedGrowth& suppressed);
/// "BROKEN", "nothing" (it matches nothing), "kept".
[[nodiscard]] std::string_view verdictWord(const BudgetVerdict& line);
/// "outstanding is 41.2 KB, more than 40.0 KB".
[[nodiscard]] std::string budgetText(const BudgetVerdict& line);

} // namespace highwater::check
