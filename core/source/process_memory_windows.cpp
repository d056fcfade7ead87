#include "core/source/process_memory.h"

#include <windows.h>
// after windows.h
#include <psapi.h>

namespace highwater::source {

std::optional<ProcessMemory> memoryOf(std::uint32_t pid) {
    const HANDLE process = ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
    if (process == nullptr) return std::nullopt;
    PROCESS_MEMORY_COUNTERS_EX counters{};
    counters.cb = sizeof(counters);
    const bool isKnown =
        ::GetProcessMemoryInfo(process, reinterpret_cast<PROCESS_MEMORY_COUNTERS*>(&counters), sizeof(counters)) != 0;
    ::CloseHandle(process);
    if (!isKnown || counters.PrivateUsage == 0) return std::nullopt;
    return ProcessMemory{counters.PrivateUsage, counters.WorkingSetSize};
}

} // namespace highwater::source
