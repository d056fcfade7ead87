#pragma once

#include "core/base/as_signed.h"
#include "core/summary/run_summary.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace highwater::fleet {

/// Facts that stores save with a run, in addition to those of the run itself.
struct StoredFacts {
    std::int64_t addedAt = 0; ///< the current time; nanoseconds since 1970, UTC
    std::int64_t inuseSpace = 0;
    std::size_t framesUnnamed = 0;
};
[[nodiscard]] StoredFacts storedFacts(const summary::RunSummary& run);

/// The table with a stored number; nullopt: none.
[[nodiscard]] constexpr std::optional<analysis::Table> tableOfNumber(std::int64_t number) {
    for (const auto table : analysis::kTables)
        if (static_cast<std::int64_t>(table) == number) return table;
    return std::nullopt;
}

/// The samples in the order of window, stack, process and table; stacks are ordered by key.
[[nodiscard]] std::vector<const summary::Sample*> samplesInOrder(const summary::RunSummary& run);

/// Pairs of a window and a process with samples in it, without duplicates.
[[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> processesOfWindows(const summary::RunSummary& run);
/// Whether all functions of the stack have names.
[[nodiscard]] bool isNamed(const summary::RunSummary& run, const summary::Stack& stack);

/// Unique names of the run's windows: the second window of a name gets " (2)".
[[nodiscard]] std::vector<std::string> windowNames(const summary::RunSummary& run);

} // namespace highwater::fleet
