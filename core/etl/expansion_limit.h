#pragma once

#include <algorithm>
#include <cstdint>

namespace highwater::etl {

/// What the compressed parts of one file may come to when they are expanded. XPRESS can claim 8,192 times its size and
/// deflate reaches 1,032 times: without a limit a small file costs hours, or all memory. Real recordings shrink to
/// between a third and a fifteenth, in no buffer to less than a thirtieth; only those whose buffers are nearly empty
/// shrink by a hundred or two, and those are small.
///   space    bytes of all traces inside an archive     up to 100 times the archive
///   records  valid bytes of all buffers, expanded      up to 32 times the file that was opened
/// Any file may use 256 MB of both. An archive beyond its limit is refused; buffers beyond theirs are left out,
/// counted and told.
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
