#pragma once

#include "core/base/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::symbols {

/// Whether this build unpacks MiniDebugInfo.
[[nodiscard]] bool readsMiniDebugInfo();

/// MiniDebugInfo (.gnu_debugdata): the symbol table of a stripped file as an ELF file, packed by xz. nullopt: damaged,
/// larger than `mostBytes` unpacked, or in need of too much memory. Any thread.
[[nodiscard]] std::optional<std::vector<std::byte>> unpackMiniDebugInfo(ByteSpan packed, std::uint64_t mostBytes);

} // namespace highwater::symbols
