#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file starts like a V8 heap profile (.heapprofile).
[[nodiscard]] bool isV8HeapProfile(std::string_view start);

/// Reads a V8 heap profile, as written by node --heap-prof and the DevTools of Chrome: sampled bytes in use by stack.
/// Fails if nothing is readable or the profile has more stacks than the limit. Errors call the file `name`.
[[nodiscard]] Result<Profile> readV8HeapProfile(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
