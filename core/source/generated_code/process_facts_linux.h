#pragma once

#include "core/base/units.h"
#include "core/files/owned_file_linux.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace highwater::source {

/// Facts that must be queried while the process is alive. The folders stay accessible after it has ended.
struct ProcessFacts {
    OwnedFile temporary;      ///< its /tmp, in its own mount namespace
    OwnedFile folder;         ///< its working folder
    uid_t owner = 0;          ///< its effective user
    std::uint32_t ownPid = 0; ///< its pid in its own namespace
};
/// Nothing if the process has ended.
[[nodiscard]] std::optional<ProcessFacts> askProcess(std::uint32_t pid);

/// Code of a file that is mapped twice, as V8 does with its own functions to have them near generated code.
struct SecondMapping {
    Address begin = 0; ///< the part in its first mapping
    Address end = 0;
    Address moved = 0; ///< distance of the second mapping (modulo 2^64)
};
/// Nothing: no such mapping. `maps` has the format of /proc/PID/maps.
[[nodiscard]] std::optional<SecondMapping> secondMappingIn(std::string_view maps);
[[nodiscard]] std::optional<SecondMapping> secondMapping(std::uint32_t pid);

/// The path, as the process sees it, of a mapped file with a name "jit-NUMBER.dump", as writers of jitdump files use
/// it.
[[nodiscard]] std::optional<std::string> mappedJitdump(std::uint32_t pid);
/// Finds such a file in a list in the format of /proc/PID/maps.
[[nodiscard]] std::optional<std::string> jitdumpIn(std::string_view maps);

} // namespace highwater::source
