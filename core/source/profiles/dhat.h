#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file begins as one of valgrind's DHAT, or of the crate dhat of Rust, does.
[[nodiscard]] bool isDhat(std::string_view start);

/// A file of DHAT (version 2): what each stack allocated in all, and what of it is there at the end. `name` is what the
/// file is called. Errors: another version, a mode that is about no heap, no JSON.
[[nodiscard]] Result<Profile> readDhat(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
