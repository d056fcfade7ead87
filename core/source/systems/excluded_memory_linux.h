#pragma once

#include "core/event/resident_sample.h"

#include <cstdint>

namespace highwater::source {

/// The mappings of a process now, without their sizes; none if it has ended.
[[nodiscard]] ResidentSample mappingsNow(std::uint32_t pid);

/// Adds the writable mappings that the process excludes from its forks (MADV_DONTFORK), as programs do with memory that
/// a device writes to. They cannot be read in the copy. `before`: mappings of the process before it was copied.
/// Reads the smaps of the process only if the copy lacks any of them.
void addExcludedMappings(ResidentSample& copy, const ResidentSample& before, std::uint32_t pid);

} // namespace highwater::source
