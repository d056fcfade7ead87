#pragma once

#include <string_view>

namespace highwater {

// Names of mappings in a ResidentSample of a system that describes memory without names.

/// Private memory of a Windows process, reserved or committed, that is not a stack. Its neighbours do not indicate its
/// use.
inline constexpr std::string_view kPrivateMemory = "[private]";
/// A stack, with its reserved part. As Linux names that of the main thread.
inline constexpr std::string_view kStackMemory = "[stack]";
/// An image of which the system does not report the file.
inline constexpr std::string_view kUnnamedImage = "[image]";
/// The part of the working set that is on none of the pages of the sample, as a mapping above all others.
inline constexpr std::string_view kRestOfWorkingSet = "[rest of the working set]";

/// Whether the mapping of this name, or the module of this path, is memory of Highwater's agent in a recorded process
/// of Linux: its library, its channel or its pages.
[[nodiscard]] bool isAgentMapping(std::string_view name);
/// Whether the mapping of this name is memory that several processes can share, and not a file with contents of its
/// own.
[[nodiscard]] bool isSharedMemoryName(std::string_view name);

} // namespace highwater
