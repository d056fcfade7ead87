#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether a file starts like a gperftools or Go heap profile ("heap profile: ..."), a jemalloc one ("heap_v2/..."), or
/// like the output of `jeprof --raw` ("--- symbol").
[[nodiscard]] bool isHeapText(std::string_view start);

/// Reads such a file. It contains names if Go wrote it, or after `jeprof --raw`; otherwise frames are modules and
/// addresses, and a note explains how to add names. Sampled profiles are scaled up like in pprof. Fails on a profile of
/// another kind or with more stacks than the limit. Errors call the file `name`.
[[nodiscard]] Result<Profile> readHeapText(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
