#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace highwater::agent {

/// The number behind a name in the text of /proc/PID/status ("\nPPid:"); -1: it has no such line.
[[nodiscard]] inline long statusNumber(const char* status, const char* name) {
    const char* const line = std::strstr(status, name);
    return line == nullptr ? -1 : std::strtol(line + std::strlen(name), nullptr, 10);
}

/// How many filters of system calls (seccomp) a process has, by the text of its /proc/PID/status: a process has those
/// of its parent, and perhaps more. Where Linux does not tell their number (before 5.9), 2 means that there are some.
[[nodiscard]] inline std::uint32_t filtersIn(const char* status) {
    constexpr long kStrict = 1;
    const long mode = statusNumber(status, "\nSeccomp:");
    if (mode == kStrict) return ~std::uint32_t{0};
    const long count = statusNumber(status, "\nSeccomp_filters:");
    return static_cast<std::uint32_t>(count >= 0 ? count : mode > 0 ? mode : 0);
}

/// The parent of a process in the pid namespace of the /proc that the text comes from; 0: it is outside of it.
[[nodiscard]] inline std::uint32_t parentIn(const char* status) {
    const long parent = statusNumber(status, "\nPPid:");
    return parent > 0 ? static_cast<std::uint32_t>(parent) : 0;
}

/// The number that a process or thread has in its own pid namespace, which is the innermost one; 0: Linux before 4.1
/// does not tell it.
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
