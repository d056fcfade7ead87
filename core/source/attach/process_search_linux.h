#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace highwater::source {

/// The processes or threads listed by a folder of numbered folders ("/proc", "/proc/PID/task").
[[nodiscard]] std::vector<std::uint32_t> numbersIn(const std::string& folder);

/// Finds the process or thread in such a folder that has this number in its own pid namespace. Returns its number in
/// our namespace, or 0. `isWanted` may reject it. Any thread.
[[nodiscard]] std::uint32_t findByOwnNumber(const std::string& folder, std::uint32_t own,
                                            const std::function<bool(std::uint32_t)>& isWanted);

/// Identifies the processes of a channel.
struct ChannelTraces {
    std::uint64_t inode = 0; ///< inode of the channel's file, which its processes map
    std::string path;        ///< path of the channel in the environment of its programs
    std::uint32_t watch = 0; ///< our highwater-attach, which also maps the channel
};
/// Whether a process maps the channel. Also false if access is denied.
[[nodiscard]] bool mapsChannel(std::uint32_t pid, const ChannelTraces& channel);
/// All processes, except this one and its watch, that map the channel or would pass it on to programs that they
/// execute. Reads two files of every process of the system, repeatedly until no new processes appear: some
/// milliseconds. Any thread.
[[nodiscard]] std::vector<std::uint32_t> processesWith(const ChannelTraces& channel);

/// Whether a process or thread ("PID", "PID/task/TID") exists and is not a zombie.
[[nodiscard]] bool isAlive(const std::string& folder);

} // namespace highwater::source
