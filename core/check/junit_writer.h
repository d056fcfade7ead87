#pragma once

#include "core/check/check_runs.h"

#include <ostream>
#include <string>
#include <string_view>

namespace highwater::check {

/// Writes a check as a JUnit XML test report, as read by Jenkins, GitLab and others. It has a test for each budget
/// line, skipped if it matches nothing, one for each stack that grew, and one for the unreachable memory of each
/// process, if that was checked. If runs were compared and no stack grew, one test reports that. Test names are unique
/// within a group.
void writeJunit(const CheckResult& result, std::ostream& out);

/// "keeps 3.8 KB more: 37.5 KB before, 41.2 KB after".
[[nodiscard]] std::string growthText(const GrownStack& stack);
/// "1 more stack grew but is suppressed: 3.8 KB."; empty: no suppressed stack grew.
[[nodiscard]] std::string suppressedText(const SuppressedGrowth& suppressed);
/// "BROKEN", "nothing" (the line matches nothing), "kept".
[[nodiscard]] std::string_view verdictWord(const BudgetVerdict& line);
/// "outstanding is 41.2 KB, more than 40.0 KB".
[[nodiscard]] std::string budgetText(const BudgetVerdict& line);

} // namespace highwater::check
