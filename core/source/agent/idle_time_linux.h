#pragma once

#include <chrono>
#include <optional>

namespace highwater::source {

/// How long the processors of this machine have had nothing to do, all together, since it started; in steps of 10 ms.
/// Nothing: the system does not tell. Some microseconds.
[[nodiscard]] std::optional<std::chrono::milliseconds> idleTime();

} // namespace highwater::source
