#include "app/settings/own_memory.h"

#include <windows.h>

#include <psapi.h>

namespace highwater::app {

std::optional<ByteCount> ownMemoryBytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    counters.cb = sizeof counters;
    if (!K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) return std::nullopt;
    return counters.WorkingSetSize;
}

std::optional<ByteCount> systemMemoryBytes() {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    if (!GlobalMemoryStatusEx(&memory)) return std::nullopt;
    return memory.ullTotalPhys;
}

} // namespace highwater::app
