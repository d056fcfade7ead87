#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file begins as one of valgrind's massif does.
[[nodiscard]] bool isMassif(std::string_view start);

/// A file of massif: what was in use by stack at each snapshot that has a tree, from one of them to the next. `name` is
/// what the file is called. Errors: no snapshot has a tree.
[[nodiscard]] Result<Profile> readMassif(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
