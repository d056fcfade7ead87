#pragma once

#include <chrono>
#include <optional>

namespace highwater::source {

/// Total idle time of all processors since the machine started, in steps of 10 ms. Nothing: not available. Some
/// microseconds.
[[nodiscard]] std::optional<std::chrono::milliseconds> idleTime();

} // namespace highwater::source
