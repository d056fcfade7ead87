#pragma once

#include <cstdint>
#include <limits>

namespace highwater {

/// For databases and limits, which have no unsigned 64-bit integers. Larger numbers, as in damaged files, become the
/// largest signed one.
[[nodiscard]] constexpr std::int64_t asSigned(std::uint64_t number) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return number > static_cast<std::uint64_t>(kMost) ? kMost : static_cast<std::int64_t>(number);
}

/// Saturates at the limits of the type.
[[nodiscard]] constexpr std::int64_t addWithin(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

} // namespace highwater
