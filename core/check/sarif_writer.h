#pragma once

#include "core/check/check_runs.h"

#include <ostream>
#include <string>
#include <vector>

namespace highwater::check {

/// What a check says beside its numbers.
struct CheckFacts {
    std::string budgetFile;           ///< as it was typed; empty: there is none
    std::vector<std::string> command; ///< that makes the check again, word by word
    std::vector<std::string> diff;    ///< that shows what grew; empty: nothing was compared
};

/// A check as SARIF 2.1.0 (OASIS): a result for each line of the budget that is broken, where it stands, and for each
/// stack that grew, at the line of its owner where that is known, with its calls.
void writeSarif(const CheckResult& result, const CheckFacts& facts, std::ostream& out);

/// A file as SARIF names it: relative paths with slashes, others as file: URIs, what a URI does not allow as %XX.
[[nodiscard]] std::string uriOf(const std::string& path);

} // namespace highwater::check
