#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file starts like one of valgrind's DHAT or of the dhat crate for Rust.
[[nodiscard]] bool isDhat(std::string_view start);

/// Reads a DHAT file (version 2): the total allocations of each stack, and the part that is still in use at the end.
/// Fails on another version, a mode other than heap, or invalid JSON. Errors call the file `name`.
[[nodiscard]] Result<Profile> readDhat(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
