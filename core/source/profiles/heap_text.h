#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file begins as a heap profile of gperftools or Go ("heap profile: ...") or jemalloc ("heap_v2/..."), or as
/// what `jeprof --raw` makes of one ("--- symbol").
[[nodiscard]] bool isHeapText(std::string_view start);

/// Such a file. Names are in it if Go wrote it, or after `jeprof --raw`; else frames have modules and addresses, and a
/// note says what to do. Profiles that hold samples are scaled up, as pprof does it. `name` is what the file is called.
/// Errors: a profile of another kind, more stacks than any program has.
[[nodiscard]] Result<Profile> readHeapText(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
