#pragma once

#include "core/base/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::symbols {

/// Whether this build supports MiniDebugInfo.
[[nodiscard]] bool readsMiniDebugInfo();

/// Decompresses MiniDebugInfo (.gnu_debugdata): the symbol table of a stripped file as an ELF file, compressed with xz.
/// nullopt: damaged, larger than `mostBytes`, or in need of too much memory. Any thread.
[[nodiscard]] std::optional<std::vector<std::byte>> unpackMiniDebugInfo(ByteSpan packed, std::uint64_t mostBytes);

} // namespace highwater::symbols
