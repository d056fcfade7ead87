#pragma once

#include "core/base/byte_reader.h"
#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Whether unpacked bytes are a pprof profile: protobuf messages with the fields of a profile.
[[nodiscard]] bool isPprof(ByteSpan bytes);

/// Reads a pprof heap profile (profile.proto) as written by Go, V8, Perfetto, Datadog and others (SampleTypes). Also
/// reads a difference of two profiles: decreases are left out, and a remark shows their sum. Invalid references are
/// left out and counted in a remark. Fails if the profile is of another kind, is not readable, or has more stacks than
/// the limit. Errors call the file `name`.
[[nodiscard]] Result<Profile> readPprof(ByteSpan bytes, std::string_view name);

} // namespace highwater::source
