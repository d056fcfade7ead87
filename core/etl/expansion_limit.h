#pragma once

#include <algorithm>
#include <cstdint>

namespace highwater::etl {

/// Limits of the expanded size of the compressed parts of one file. XPRESS can claim 8,192 times its size, and
/// deflate reaches 1,032 times. Without a limit a small file could take hours or use all memory. Real recordings
/// shrink to between a third and a fifteenth, and none of their buffers to less than a thirtieth. Only recordings
/// with nearly empty buffers shrink by a factor of 100 to 200, and those are small.
///   space    bytes of all traces inside an archive     up to 100 times the archive
///   records  valid bytes of all buffers, expanded      up to 32 times the file that was opened
/// Any file may use 256 MB of both. An archive beyond its limit is refused. Buffers beyond their limit are left out,
/// counted and reported.
struct ExpansionLimit {
    static constexpr std::uint64_t kAlwaysBytes = std::uint64_t{256} << 20;
    static constexpr std::uint64_t kSpaceRatio = 100;
    static constexpr std::uint64_t kRecordRatio = 32;

    std::uint64_t spaceBytes = kAlwaysBytes;
    std::uint64_t recordBytes = kAlwaysBytes;

    [[nodiscard]] static constexpr ExpansionLimit of(std::uint64_t fileBytes) {
        return {std::max(kAlwaysBytes, fileBytes * kSpaceRatio), std::max(kAlwaysBytes, fileBytes * kRecordRatio)};
    }
};

} // namespace highwater::etl
