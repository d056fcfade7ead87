#include "core/source/agent/idle_time_linux.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace highwater::source {

std::optional<std::chrono::milliseconds> idleTime() {
    const int file = ::open("/proc/uptime", O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    char text[64] = {};
    const auto bytes = ::read(file, text, sizeof text - 1);
    ::close(file);
    unsigned long long seconds = 0;
    unsigned hundredths = 0;
    if (bytes <= 0 || std::sscanf(text, "%*u.%*u %llu.%2u", &seconds, &hundredths) != 2) return std::nullopt;
    return std::chrono::milliseconds(seconds * 1000 + hundredths * 10);
}

} // namespace highwater::source
