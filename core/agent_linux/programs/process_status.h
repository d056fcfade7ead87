#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace highwater::agent {

/// The number after a name in the text of /proc/PID/status ("
/// PPid:"); -1: no such line.
[[nodiscard]] inline long statusNumber(const char* status, const char* name) {
    const char* const line = std::strstr(status, name);
    return line == nullptr ? -1 : std::strtol(line + std::strlen(name), nullptr, 10);
}

/// The number of system call filters (seccomp) of a process, from the text of /proc/PID/status: those of its parent,
/// and perhaps more. Where Linux does not provide the number (before 5.9), 2 means that there are some.
[[nodiscard]] inline std::uint32_t filtersIn(const char* status) {
    constexpr long kStrict = 1;
    const long mode = statusNumber(status, "\nSeccomp:");
    if (mode == kStrict) return ~std::uint32_t{0};
    const long count = statusNumber(status, "\nSeccomp_filters:");
    return static_cast<std::uint32_t>(count >= 0 ? count : mode > 0 ? mode : 0);
}

/// The parent of a process in the pid namespace of the /proc that contains the text; 0: outside of it.
[[nodiscard]] inline std::uint32_t parentIn(const char* status) {
    const long parent = statusNumber(status, "\nPPid:");
    return parent > 0 ? static_cast<std::uint32_t>(parent) : 0;
}

/// The id of a process or thread in its own, innermost pid namespace; 0: not provided (Linux before 4.1).
[[nodiscard]] inline std::uint32_t ownNumberIn(const char* status) {
    const char* text = std::strstr(status, "\nNSpid:");
    if (text == nullptr) return 0;
    text += std::strlen("\nNSpid:");
    unsigned long number = 0;
    for (char* end = nullptr; *text == '\t' || *text == ' '; text = end) {
        const unsigned long next = std::strtoul(text, &end, 10);
        if (end == text || (*text != '\t' && *text != ' ')) break;
        number = next;
    }
    return static_cast<std::uint32_t>(number);
}

} // namespace highwater::agent
