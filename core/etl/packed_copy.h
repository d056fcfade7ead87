#pragma once

#include "core/etl/etl_writer.h"

namespace highwater::etl {

/// Copies a complete trace of an EtlWriter that was to compress it, and compresses the buffers that it left
/// uncompressed, on all processors and some megabytes at a time. Error: that of the output, or the file was not
/// completely written by an EtlWriter.
[[nodiscard]] Result<void> copyPacked(ByteSpan file, ByteOutput& output);

} // namespace highwater::etl
