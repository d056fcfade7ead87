#include "core/analysis/balance/block_extent.h"

namespace highwater::analysis {
namespace {

constexpr ByteCount kSizeField = 8; ///< before the block
constexpr ByteCount kAlignment = 16;
constexpr ByteCount kSmallestChunk = 32;
constexpr ByteCount kMappedHeader = 16;        ///< header of a chunk with its own mapping
constexpr ByteCount kLeastMapped = 128 * 1024; ///< M_MMAP_THRESHOLD rises, but never falls below

Address after(Address address, ByteCount bytes) { return address + std::min(bytes, kLastMappingEnd - address); }
constexpr ByteCount roundedUp(ByteCount bytes, ByteCount unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

/// malloc maps large blocks directly, but also takes them from a heap once the threshold has risen; only a mapping
/// begins at a page. (By chance, one of 256 blocks in a heap does too.)
BlockExtent extentOf(Address address, ByteCount size, BlockRules rules) {
    if (address >= kLastMappingEnd) return {};
    const auto bytes = std::min(size, kLastMappingEnd); // sums below do not overflow
    if (rules == BlockRules::None) return {address, address, after(address, bytes), after(address, bytes), false};
    BlockExtent extent;
    extent.hasOwnMapping = bytes >= kLeastMapped && address % kResidentPageBytes == kMappedHeader;
    extent.blockBegin = address;
    extent.blockEnd = after(address, bytes);
    const auto chunk = std::max(kSmallestChunk, roundedUp(bytes + kSizeField, kAlignment));
    extent.begin = address - std::min(address, extent.hasOwnMapping ? kMappedHeader : kSizeField);
    extent.end = extent.hasOwnMapping ? after(extent.begin, roundedUp(chunk + kSizeField, kResidentPageBytes))
                                      : after(address, chunk - kSizeField);
    extent.end = std::max(extent.end, extent.blockEnd);
    return extent;
}

} // namespace highwater::analysis
