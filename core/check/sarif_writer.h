#pragma once

#include "core/check/check_runs.h"

#include <ostream>
#include <string>
#include <vector>

namespace highwater::check {

/// Data of a check in addition to its numbers.
struct CheckFacts {
    std::string budgetFile;           ///< path as given by the user; empty: none
    std::vector<std::string> command; ///< repeats the check, word by word
    std::vector<std::string> diff;    ///< shows the growth; empty: nothing was compared
};

/// Writes a check as SARIF 2.1.0 (OASIS): a result for each broken budget line, at its position, and for each stack
/// that grew, at the source line of its owner if known, with its calls.
void writeSarif(const CheckResult& result, const CheckFacts& facts, std::ostream& out);

/// A file as a SARIF URI: relative paths with slashes, other paths as file: URIs, characters that a URI does not allow
/// as %XX.
[[nodiscard]] std::string uriOf(const std::string& path);

} // namespace highwater::check
