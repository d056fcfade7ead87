#include "core/source/systems/copy_checks_linux.h"

#include "core/base/text.h"
#include "core/source/agent/agent_thread_names_linux.h"
#include "core/source/agent/backlog_memory_linux.h"
#include "core/source/attach/agent_loading_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace highwater::source {

ByteCount copyNeeds(ByteCount anonymousBytes, unsigned processors, unsigned seconds) {
    constexpr ByteCount kBytesPerTableByte = 512;
    constexpr ByteCount kCopiedInSecond = ByteCount{5} << 28; ///< by one processor at most: 1.25 GB
    const ByteCount writable = kCopiedInSecond * seconds * processors;
    return anonymousBytes / kBytesPerTableByte + std::min(anonymousBytes, writable);
}

std::string titleOf(std::uint32_t pid) { return fmt::format("{} ({})", printable(threadNameNow(pid, pid)), pid); }

Result<ProcessMemory> checkCopyable(std::uint32_t pid, AgentFunction function, unsigned seconds) {
    TRY(checkAttachable(pid, function));
    const auto memory = memoryOf(pid);
    if (!memory) return Error{ErrorKind::NotFound, fmt::format("Process {} has ended.", pid)};
    const auto needed = copyNeeds(memory->privateBytes, std::max(1u, std::thread::hardware_concurrency()), seconds);
    const auto free = freeMemoryBytes(pid);
    if (free >= needed) return *memory;
    return Error{
        ErrorKind::Io,
        fmt::format(
            "A copy of {} may need {}, but only {} are free on this machine and in the control groups of the process.",
            titleOf(pid), megabytes(needed), megabytes(free))};
}

} // namespace highwater::source
