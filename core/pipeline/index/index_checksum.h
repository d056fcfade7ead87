#pragma once

#include "core/base/byte_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace highwater::pipeline {

/// Checksums of index files and of pieces of traces: against damage and change, not against malice. As fast as memory,
/// with four independent sums. (The libraries that are linked on all systems have no such checksum; zlib's has a tenth
/// of the speed.)

/// Size of the unit of checksums: large enough that there are few, small enough that all processors have some.
inline constexpr std::size_t kIndexBlockBytes = std::size_t{1} << 20;

[[nodiscard]] inline std::uint64_t mixIndexChecksum(std::uint64_t sum, std::uint64_t value) {
    const auto mixed = (sum ^ value) * 0x9E3779B97F4A7C15ull;
    return mixed ^ (mixed >> 29);
}

[[nodiscard]] inline std::uint64_t indexChecksum(ByteSpan bytes) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    constexpr std::size_t kLanes = 4;
    std::array<std::uint64_t, kLanes> sums{1, 2, 3, 4};
    std::size_t at = 0;
    for (; at + kLanes * kWord <= bytes.size(); at += kLanes * kWord)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] = mixIndexChecksum(sums[lane], loadUnchecked<std::uint64_t>(bytes.data() + at + lane * kWord));
    auto sum = static_cast<std::uint64_t>(bytes.size());
    for (const auto lane : sums)
        sum = mixIndexChecksum(sum, lane);
    for (; at < bytes.size(); at += kWord) {
        std::uint64_t rest = 0;
        std::memcpy(&rest, bytes.data() + at, std::min(kWord, bytes.size() - at));
        sum = mixIndexChecksum(sum, rest);
    }
    return sum;
}

} // namespace highwater::pipeline
