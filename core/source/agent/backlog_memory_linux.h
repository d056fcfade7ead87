#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::source {

/// How many bytes may hold what was recorded and not read, where reading waits for idle processors: an eighth of what
/// is free now, in the machine and in the control groups (containers) that the process is in. At least what a channel
/// has otherwise, at most 4 GB. Where this process, and what it launches, may not map any amount of memory, it is the
/// least. `pid`: who is to be recorded; what is launched is where this process is. Takes less than a millisecond.
[[nodiscard]] std::uint64_t backlogMemoryBytes(std::uint32_t pid);

/// The same, with other folders in the place of /proc and /sys/fs/cgroup.
[[nodiscard]] std::uint64_t backlogMemoryBytes(std::uint32_t pid, const std::filesystem::path& proc,
                                               const std::filesystem::path& groups);

} // namespace highwater::source
