#pragma once

#include "core/summary/run_summary.h"

#include <array>
#include <cstddef>
#include <span>

namespace highwater::fleet {

/// A stack's key in databases: 16 bytes, most significant first.
[[nodiscard]] inline std::array<std::byte, 16> bytesOf(const summary::StackKey& key) {
    std::array<std::byte, 16> bytes{};
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[i] = static_cast<std::byte>(key.high >> (56 - 8 * i));
        bytes[8 + i] = static_cast<std::byte>(key.low >> (56 - 8 * i));
    }
    return bytes;
}
/// 0 if the size is not 16 bytes.
[[nodiscard]] inline summary::StackKey stackKey(std::span<const std::byte> bytes) {
    summary::StackKey key;
    if (bytes.size() != 16) return key;
    for (std::size_t i = 0; i < 8; ++i) {
        key.high = key.high << 8 | static_cast<std::uint64_t>(bytes[i]);
        key.low = key.low << 8 | static_cast<std::uint64_t>(bytes[8 + i]);
    }
    return key;
}

} // namespace highwater::fleet
