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

} // namespace highwater
