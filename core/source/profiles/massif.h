#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file starts like one of valgrind's massif.
[[nodiscard]] bool isMassif(std::string_view start);

/// Reads a massif file: memory in use by stack at each snapshot that has a tree. Fails if no snapshot has a tree.
/// Errors call the file `name`.
[[nodiscard]] Result<Profile> readMassif(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
