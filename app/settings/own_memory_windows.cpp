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

} // namespace highwater::app
