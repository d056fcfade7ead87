#pragma once

#include <windows.h>

#include <cstdint>

/// The performance counter, for the simulator and its test.
namespace highwater::etw_clock {

inline std::int64_t ticksNow() {
    LARGE_INTEGER ticks{};
    ::QueryPerformanceCounter(&ticks);
    return ticks.QuadPart;
}

inline std::int64_t ticksPerSecond() {
    LARGE_INTEGER frequency{};
    ::QueryPerformanceFrequency(&frequency);
    return frequency.QuadPart;
}

} // namespace highwater::etw_clock
