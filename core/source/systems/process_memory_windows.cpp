#include "core/source/contract/process_memory.h"

#include <algorithm>
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
    // One number under two names; Wine fills in only the older one.
    const auto privateBytes = std::max(counters.PrivateUsage, counters.PagefileUsage);
    if (!isKnown || privateBytes == 0) return std::nullopt;
    return ProcessMemory{privateBytes, counters.WorkingSetSize};
}

} // namespace highwater::source
