// There is no liblzma for mingw-w64, so only the exported names of the file are read.
#include "core/symbols/elf/mini_debug.h"

namespace highwater::symbols {

bool readsMiniDebugInfo() { return false; }

std::optional<std::vector<std::byte>> unpackMiniDebugInfo(ByteSpan /*packed*/, std::uint64_t /*mostBytes*/) {
    return std::nullopt;
}

} // namespace highwater::symbols
