#pragma once

#include "core/etl/etl_writer.h"

namespace highwater::etl {

/// Copies a whole trace that an EtlWriter was to compress, and packs those of its buffers that it left plain: on all
/// processors, some megabytes at a time. Error: the output's, or the file is none that it wrote to its end.
[[nodiscard]] Result<void> copyPacked(ByteSpan file, ByteOutput& output);

} // namespace highwater::etl
