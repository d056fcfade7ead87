#include "core/source/profiles/packed_stream.h"

#include <fmt/format.h>

namespace highwater::source {

/// mingw-w64 does not have the library.
Result<std::unique_ptr<PackedStream>> openZstd(ByteSpan /*file*/, std::string_view name) {
    return Error{
        ErrorKind::Unsupported,
        fmt::format("{} is packed with Zstandard, which Highwater does not unpack on Windows. Unpack it first with "
                    "zstd -d or 7-Zip.",
                    name)};
}

} // namespace highwater::source
