#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace highwater {

/// Nanoseconds since time 0 of the trace (the time field of its first header record). May be negative.
struct TraceTime {
    std::int64_t ns = 0;
    friend constexpr auto operator<=>(TraceTime, TraceTime) = default;
    /// As precise as a double can be: 2.2 s is 2.2.
    [[nodiscard]] constexpr double seconds() const { return static_cast<double>(ns) / 1e9; }
};

/// Start of a block that is older than the trace (known from a rundown): before any interval.
inline constexpr TraceTime kBeforeTrace{std::numeric_limits<std::int64_t>::min()};
/// End of a block that was not freed: after any interval.
inline constexpr TraceTime kNever{std::numeric_limits<std::int64_t>::max()};

/// Half-open: [start, end).
struct TimeRange {
    TraceTime start;
    TraceTime end;
    friend constexpr bool operator==(TimeRange, TimeRange) = default;
    [[nodiscard]] constexpr bool isEmpty() const { return end <= start; }
    [[nodiscard]] constexpr bool contains(TraceTime t) const { return t >= start && t < end; }
};

/// Sizes in bytes. Differences (Impacting Size) are signed.
using ByteCount = std::uint64_t;
using SignedByteCount = std::int64_t;
/// A virtual address of the traced process.
using Address = std::uint64_t;

/// Also for the most negative value, which has no positive counterpart.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

} // namespace highwater
