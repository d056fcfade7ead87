#pragma once

#include <string_view>

// Names by which the agent of Linux recordings is recognised in the mappings of a process. The agent also includes this
// header, which therefore depends on no library.

namespace highwater {

inline constexpr char kAgentLibraryFile[] = "libhighwater-agent.so";
/// The name of its channel, a file in memory (memfd_create), and of its private pages (PR_SET_VMA_ANON_NAME).
inline constexpr char kAgentMemoryName[] = "highwater-agent";
/// The same in /proc/PID/smaps. Compare the whole name, because programs may use names that begin like it.
inline constexpr std::string_view kAgentChannelMapping = "/memfd:highwater-agent (deleted)";
inline constexpr std::string_view kAgentPagesMapping = "[anon:highwater-agent]";

} // namespace highwater
