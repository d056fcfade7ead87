#include "core/source/contract/process_memory.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace highwater::source {

/// smaps_rollup would report shared memory more precisely, but it blocks the process while it counts.
std::optional<ProcessMemory> memoryOf(std::uint32_t pid) {
    std::ifstream pages(std::filesystem::path("/proc") / std::to_string(pid) / "statm");
    std::uint64_t size = 0, resident = 0, shared = 0;
    if (!(pages >> size >> resident >> shared)) return std::nullopt;
    // All values are zero for a zombie process.
    if (size == 0) return std::nullopt;
    const auto pageBytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return ProcessMemory{resident > shared ? (resident - shared) * pageBytes : 0, resident * pageBytes};
}

} // namespace highwater::source
