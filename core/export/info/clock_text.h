#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace highwater::exports {

/// A time in 100 ns since 1601 (UTC) as the clock of a zone showed it, with milliseconds and the distance to UTC:
/// "2026-03-01T13:05:00.250+01:00". `biasMinutes`: UTC = local + bias. Nothing: it is no time that a clock shows.
[[nodiscard]] std::optional<std::string> clockText(std::int64_t fileTime, std::int32_t biasMinutes);

} // namespace highwater::exports
