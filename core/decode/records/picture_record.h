#pragma once

#include "core/decode/records/parted_record.h"
#include "core/event/memory_picture.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::decode {

/// Highwater's own records (highwater_opcode::kPicture) of a picture of memory, in parts (parted_record.h). A picture
/// is older than its records, because it is computed meanwhile. The bytes are LEB128 numbers: the ticks of the picture,
/// searched and unread bytes of roots, threads, unread threads; the names (their number; length and UTF-8 of each); the
/// roots (their number; for each: kind | 8 if it has the last two, address, code, name, thread, name of the thread,
/// parent + 1); the blocks (their number; for each: bytes since the end of the previous one, bytes, reachability | 4 if
/// the dominator is the holder | 8 if it has a type, holder + 1, without the bit 4 dominator + 1, with the bit 8 type);
/// if a block has a type, the names of the types, as above; a checksum of all bytes before it.
inline constexpr std::size_t kMostPictureBytes = std::size_t{512} << 20; ///< in memory and in records

/// The payloads of the records; `ticks` is not negative. Empty if the picture is larger than kMostPictureBytes, or not
/// isValid().
[[nodiscard]] std::vector<std::vector<std::byte>> encodePicture(const MemoryPicture& picture, std::int64_t ticks,
                                                                std::uint32_t number);

/// Assembles pictures from their records. One thread.
class PictureParts {
  public:
    struct Outcome {
        std::shared_ptr<MemoryPicture> picture; ///< complete and valid, without its time; null if none is complete
        std::int64_t ticks = 0;                 ///< its time
        std::uint32_t dropped = 0;              ///< pictures that turned out to be incomplete or damaged
    };

    /// `time`: time of the record.
    [[nodiscard]] Outcome take(const etl::RawRecord& record, TraceTime time);
    /// No parts follow. Returns the number of pictures that are incomplete.
    [[nodiscard]] std::uint32_t finish() { return parts_.finish(); }

  private:
    RecordParts parts_{kMostPictureBytes};
};

} // namespace highwater::decode
