#pragma once

#include "core/base/byte_reader.h"

#include <array>
#include <cstdint>

namespace highwater {

/// SHA-256 (FIPS 180-4) of bytes in memory. Implemented here because no library that is linked on both systems provides
/// it.
[[nodiscard]] std::array<std::uint8_t, 32> sha256(ByteSpan bytes);

} // namespace highwater
