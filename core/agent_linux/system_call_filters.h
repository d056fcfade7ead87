#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace highwater::agent {

/// How many filters of system calls (seccomp) a process has, by the text of its /proc/PID/status: a process has those of
/// its parent, and perhaps more. Where Linux does not tell their number (before 5.9), 2 means that there are some.
[[nodiscard]] inline std::uint32_t filtersIn(const char* status) {
    const auto numberAt = [status](const char* name) -> long {
        const char* const line = std::strstr(status, name);
        return line == nullptr ? -1 : std::strtol(line + std::strlen(name), nullptr, 10);
    };
    constexpr long kStrict = 1;
    const long mode = numberAt("\nSeccomp:");
    if (mode == kStrict) return ~std::uint32_t{0};
    const long count = numberAt("\nSeccomp_filters:");
    return static_cast<std::uint32_t>(count >= 0 ? count : mode > 0 ? mode : 0);
}

} // namespace highwater::agent
