#pragma once

#include "core/base/byte_reader.h"

#include <optional>

namespace highwater::etl {

inline constexpr std::uint32_t kBufferHeaderBytes = 72;

namespace buffer_flag {
inline constexpr std::uint16_t kFlushMarker = 0x01, kEventsLost = 0x02, kBufferLost = 0x04, kProcessorIndex = 0x20,
                               kCompressed = 0x40;
}
namespace buffer_type {
inline constexpr std::uint16_t kGeneric = 0, kHeader = 4;
}

/// The 72 bytes before the records of each buffer (docs/etl-format.md 1.1); sizes in bytes, as the file claims them.
///   0 size | 4 saved offset | 8 current offset | 16 time stamp | 24 sequence | 40 processor | 42 logger | 44 state
///   48 offset | 52 flags | 54 type
struct BufferHeader {
    std::uint32_t storedBytes = 0; ///< size of the buffer in the file, including this header
    std::uint32_t savedOffset = 0; ///< for compressed buffers: size of the expanded image, including this header
    std::uint32_t offset = 0;      ///< end of the valid bytes in the (expanded) image
    std::uint32_t state = 0;       ///< low 16 bits in the header buffer of a compressed file: the compression format
    std::int64_t timeStamp = 0;
    std::int64_t sequence = 0;
    std::uint16_t processor = 0;
    std::uint16_t loggerId = 0;
    std::uint16_t flags = 0;
    std::uint16_t type = 0;

    [[nodiscard]] bool isCompressed() const { return (flags & buffer_flag::kCompressed) != 0; }
    /// Claimed end of the valid bytes in the image: at least the header, and for a plain buffer at most the stored
    /// size.
    [[nodiscard]] std::uint32_t imageBytes() const;
    /// Whether all fields have values of real buffers. Used to distinguish a buffer from arbitrary bytes.
    [[nodiscard]] bool isPlausible() const;
};

/// Nothing if fewer than 72 bytes are left.
[[nodiscard]] std::optional<BufferHeader> parseBufferHeader(ByteSpan bytes);
/// Writes the header to the first 72 bytes at `to`. Flag and format are those of systems with processor indexes.
void storeBufferHeader(const BufferHeader& header, std::byte* to);

/// Windows compression formats, as specified in the header buffer of a compressed file.
enum class CompressionFormat : std::uint16_t { None = 0, Default = 1, Lznt1 = 2, Xpress = 3, XpressHuffman = 4 };

} // namespace highwater::etl
