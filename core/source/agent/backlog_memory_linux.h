#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::source {

/// Bytes that are free now, both in the machine and in the control groups (containers) of the process; caches that the
/// system can drop count as free. Takes less than a millisecond.
[[nodiscard]] std::uint64_t freeMemoryBytes(std::uint32_t pid, const std::filesystem::path& proc = "/proc",
                                            const std::filesystem::path& groups = "/sys/fs/cgroup");

/// Size in bytes of the memory for recorded but unread events if reading waits for idle processors: an eighth of the
/// memory that is free now, both in the machine and in the control groups (containers) of the process. At least the
/// default size of a channel, at most 4 GB. If the memory of this process, and thus of launched programs, is limited,
/// the minimum. `pid`: the process to record; a launched program is in the same groups as this process. Takes less than
/// a millisecond.
[[nodiscard]] std::uint64_t backlogMemoryBytes(std::uint32_t pid);

/// With other folders instead of /proc and /sys/fs/cgroup.
[[nodiscard]] std::uint64_t backlogMemoryBytes(std::uint32_t pid, const std::filesystem::path& proc,
                                               const std::filesystem::path& groups);

} // namespace highwater::source
