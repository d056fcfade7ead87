#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace highwater::source {

/// The processes or threads that a folder of numbered folders ("/proc", "/proc/PID/task") lists.
[[nodiscard]] std::vector<std::uint32_t> numbersIn(const std::string& folder);

/// The process or thread that has this number in its own pid namespace, among those of such a folder: its number as we
/// see it, or 0. `isWanted` may refuse it. Any thread.
[[nodiscard]] std::uint32_t findByOwnNumber(const std::string& folder, std::uint32_t own,
                                            const std::function<bool(std::uint32_t)>& isWanted);

/// A channel, as what its processes have of it shows it.
struct ChannelTraces {
    std::uint64_t inode = 0; ///< of its file, which its processes map
    std::string path;        ///< that the environment of its programs names
    std::uint32_t watch = 0; ///< our highwater-attach, which has it in its memory, too
};
/// Whether a process has the channel in its memory. False, too, where we may not look.
[[nodiscard]] bool mapsChannel(std::uint32_t pid, const ChannelTraces& channel);
/// All processes but this one and its watch that have it in their memory, or would hand it on to the programs that they
/// execute. Reads two files of every process of the system, again until no more processes come: some milliseconds. Any
/// thread.
[[nodiscard]] std::vector<std::uint32_t> processesWith(const ChannelTraces& channel);

/// Whether a process or thread ("PID", "PID/task/TID") exists and is no zombie.
[[nodiscard]] bool isAlive(const std::string& folder);

} // namespace highwater::source
