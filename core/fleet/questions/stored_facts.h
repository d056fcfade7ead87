#pragma once

#include "core/summary/run_summary.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace highwater::fleet {

/// What stores keep of a run beside what it says itself.
struct StoredFacts {
    std::int64_t addedAt = 0; ///< now; nanoseconds since 1970, UTC
    std::int64_t inuseSpace = 0;
    std::size_t framesUnnamed = 0;
};
[[nodiscard]] StoredFacts storedFacts(const summary::RunSummary& run);

/// The table of a number that stores keep; nothing: there is no such.
[[nodiscard]] constexpr std::optional<analysis::Table> tableOfNumber(std::int64_t number) {
    for (const auto table : analysis::kTables)
        if (static_cast<std::int64_t>(table) == number) return table;
    return std::nullopt;
}

/// The samples in the order of window, stack, process and table, by the keys of their stacks.
[[nodiscard]] std::vector<const summary::Sample*> samplesInOrder(const summary::RunSummary& run);

/// Numbers of windows with those of the processes that have samples there, each pair once.
[[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> processesOfWindows(const summary::RunSummary& run);
/// Whether all its functions have names.
[[nodiscard]] bool isNamed(const summary::RunSummary& run, const summary::Stack& stack);

/// Names of windows, of which a run has each once: the second of a name gets " (2)".
[[nodiscard]] std::vector<std::string> windowNames(const summary::RunSummary& run);

/// Of numbers that only grow: databases have none of 64 bits without a sign.
[[nodiscard]] constexpr std::int64_t asSigned(std::uint64_t number) {
    return static_cast<std::int64_t>(number > INT64_MAX ? INT64_MAX : number);
}
/// Stops at the ends of the numbers that there are.
[[nodiscard]] constexpr std::int64_t addWithin(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

} // namespace highwater::fleet
