#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace highwater::exports {

/// A time in 100 ns since 1601 (UTC) as local time with milliseconds and the offset to UTC:
/// "2026-03-01T13:05:00.250+01:00". `biasMinutes`: UTC = local + bias. nullopt: not a valid time.
[[nodiscard]] std::optional<std::string> clockText(std::int64_t fileTime, std::int32_t biasMinutes);

} // namespace highwater::exports
