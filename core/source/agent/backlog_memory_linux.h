#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::source {

/// How many bytes may hold what was recorded and not read, where reading waits for an idle processor: an eighth of what
/// is free now, in the machine and in the control groups (containers) that this process is in. At least what a channel
/// has otherwise, at most 4 GB. Takes less than a millisecond.
[[nodiscard]] std::uint64_t backlogMemoryBytes();

/// The same, with other folders in the place of /proc and /sys/fs/cgroup.
[[nodiscard]] std::uint64_t backlogMemoryBytes(const std::filesystem::path& proc, const std::filesystem::path& groups);

} // namespace highwater::source
