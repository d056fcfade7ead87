#pragma once

#include "core/etl/raw_record.h"

#include <span>
#include <vector>

namespace highwater::etl {

/// The record headers of docs/etl-format.md 2: the size, time and other header fields of records. Pure functions over
/// bytes; nothing is copied, and nothing outside the given bytes is read. Any thread.

/// Position and time of one record in a buffer. 16 bytes, so that a merge can look ahead cheaply.
struct RecordExtent {
    std::int64_t ticks = 0;
    std::uint32_t offset = 0; ///< from the start of the buffer image
    std::uint32_t bytes = 0;  ///< header and payload, without padding
};

/// The reason why a walk over the records of a buffer ended.
enum class WalkEnd : std::uint8_t {
    Complete, ///< at the end of the valid bytes
    Filling,  ///< at the 0xFF bytes with which recorders fill unused space, before the end of the valid bytes
    Damaged,  ///< at bytes that are not a record header, or at an invalid size
};

/// Results of listRecords().
struct RecordListing {
    WalkEnd end = WalkEnd::Complete;
    bool hasTimes = false; ///< at least one record had its own time
    bool isInOrder = true; ///< no record is older than the previous one
};

/// Finds all records between `begin` and the end of `image` and appends them in file order. Sizes are checked: listed
/// records are inside `image` and at least as long as their header. A record without a time gets that of the previous
/// record; before the first time in the buffer, that first time; without any, `fallbackTicks`.
RecordListing listRecords(ByteSpan image, std::size_t begin, std::int64_t fallbackTicks,
                          std::vector<RecordExtent>& records);

/// Whether a record begins after the first `end` bytes of a buffer, where only filling is expected.
[[nodiscard]] bool hasRecordBehind(ByteSpan buffer, std::size_t end);

/// Time of the first record at or after `begin` that has one; nothing if there is none in these (possibly truncated)
/// bytes.
[[nodiscard]] std::optional<std::int64_t> firstTicks(ByteSpan image, std::size_t begin);

/// Parses listed records and appends them to `out`, in the given order. Returns the number of records with invalid
/// contents (a chain of extended items or counters that does not fit), which are delivered without payload.
std::size_t parseRecords(const std::byte* image, std::span<const RecordExtent> extents, std::uint16_t processor,
                         std::vector<RawRecord>& out);

/// Parses the record at the start of `bytes`, which may be followed by other data. Nothing if there is no whole, valid
/// record.
[[nodiscard]] std::optional<RawRecord> parseRecord(ByteSpan bytes);

/// Length of the chain of extended data items (docs/etl-format.md 2.1) at the start of `bytes`, or nothing if it does
/// not fit.
[[nodiscard]] std::optional<std::size_t> extendedItemsBytes(ByteSpan bytes);

/// Size of the fixed header of this type; 8 for messages (their options follow) and for skipped types.
[[nodiscard]] std::uint32_t headerBytes(HeaderType type);

namespace event_flag {
inline constexpr std::uint16_t kExtended = 0x1, kClassic = 0x100;
}
namespace message_option {
inline constexpr std::uint16_t kSequence = 0x1, kGuid = 0x2, kComponent = 0x4, kTime = 0x8, kPerformanceTime = 0x10,
                               kIds = 0x20;
}

} // namespace highwater::etl
