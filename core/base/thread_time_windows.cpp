#include "core/base/thread_time.h"

#include <cstdint>
#include <windows.h>

namespace highwater {
namespace {

std::chrono::nanoseconds durationOf(const FILETIME& time) {
    constexpr std::int64_t kNanosecondsPerTick = 100;
    const auto ticks = static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
    return std::chrono::nanoseconds(ticks * kNanosecondsPerTick);
}

} // namespace

std::chrono::nanoseconds threadTime() {
    FILETIME created{}, ended{}, kernel{}, user{};
    if (::GetThreadTimes(::GetCurrentThread(), &created, &ended, &kernel, &user) == 0) return {};
    return durationOf(kernel) + durationOf(user);
}

} // namespace highwater
