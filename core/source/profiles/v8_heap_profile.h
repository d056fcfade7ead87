#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file begins as a heap profile of V8 (.heapprofile) does.
[[nodiscard]] bool isV8HeapProfile(std::string_view start);

/// A heap profile of V8, as node --heap-prof and the DevTools of Chrome write it: how many bytes of each stack were in
/// use, from samples. `name` is what the file is called. Errors: nothing of it is readable, more stacks than any
/// program has.
[[nodiscard]] Result<Profile> readV8HeapProfile(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
