#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace highwater::etl {

/// Bytes of TIME_ZONE_INFORMATION (docs/etl-format.md 3).
inline constexpr std::size_t kTimeZoneBytes = 172;

/// Minutes from local time to UTC (UTC = local + bias) at an instant in 100 ns since 1601, including daylight saving
/// time if the zone has it and its dates apply. Invalid dates mean that it has none.
[[nodiscard]] std::int32_t biasAt(std::span<const std::byte, kTimeZoneBytes> zone, std::int64_t fileTime);

} // namespace highwater::etl
