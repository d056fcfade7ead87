// There is no liblzma for mingw-w64: the file's exported names are all that is read.
#include "core/symbols/elf/mini_debug.h"

namespace highwater::symbols {

bool readsMiniDebugInfo() { return false; }

std::optional<std::vector<std::byte>> unpackMiniDebugInfo(ByteSpan /*packed*/, std::uint64_t /*mostBytes*/) {
    return std::nullopt;
}

} // namespace highwater::symbols
