#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether unpacked bytes are a profile of pprof: messages of protobuf, of the fields that a profile has.
[[nodiscard]] bool isPprof(ByteSpan bytes);

/// A heap profile of pprof (profile.proto), as Go, V8, Perfetto, Datadog and others write it (SampleTypes). A
/// difference of two profiles is one, too: what fell is left out, and a remark has its sum. `name` is what the file is
/// called. Errors: a profile of something else, nothing that can be read, more stacks than any program has. What points
/// to nothing is left out, and counted in a remark.
[[nodiscard]] Result<Profile> readPprof(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
