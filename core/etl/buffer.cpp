#include "core/etl/buffer.h"

#include <algorithm>

namespace highwater::etl {
namespace {

constexpr std::uint32_t kMaxPlausibleBytes = 1u << 30;
constexpr std::uint16_t kKnownFlags = 0x7F;
constexpr std::uint16_t kMaxType = 15;

} // namespace

std::uint32_t BufferHeader::imageBytes() const {
    if (isCompressed()) return std::max(savedOffset != 0 ? savedOffset : offset, kBufferHeaderBytes);
    return std::clamp(offset != 0 ? offset : savedOffset, kBufferHeaderBytes,
                      std::max(storedBytes, kBufferHeaderBytes));
}

bool BufferHeader::isPlausible() const {
    if (storedBytes < kBufferHeaderBytes || storedBytes > kMaxPlausibleBytes) return false;
    if ((flags & ~kKnownFlags) != 0 || type > kMaxType) return false;
    const auto end = offset != 0 ? offset : savedOffset;
    return end <= kMaxPlausibleBytes && (end == 0 || end >= kBufferHeaderBytes) &&
           (isCompressed() || end <= storedBytes);
}

std::optional<BufferHeader> parseBufferHeader(ByteSpan bytes) {
    if (bytes.size() < kBufferHeaderBytes) return std::nullopt;
    const auto* at = bytes.data();
    BufferHeader header;
    header.storedBytes = loadUnchecked<std::uint32_t>(at);
    header.savedOffset = loadUnchecked<std::uint32_t>(at + 4);
    header.timeStamp = loadUnchecked<std::int64_t>(at + 16);
    header.sequence = loadUnchecked<std::int64_t>(at + 24);
    header.processor = loadUnchecked<std::uint16_t>(at + 40);
    header.loggerId = loadUnchecked<std::uint16_t>(at + 42);
    header.state = loadUnchecked<std::uint32_t>(at + 44);
    header.offset = loadUnchecked<std::uint32_t>(at + 48);
    header.flags = loadUnchecked<std::uint16_t>(at + 52);
    header.type = loadUnchecked<std::uint16_t>(at + 54);
    // Before Windows 8 the high byte contains an alignment.
    if ((header.flags & buffer_flag::kProcessorIndex) == 0) header.processor &= 0xFFu;
    return header;
}

void storeBufferHeader(const BufferHeader& header, std::byte* to) {
    const auto put = [to](std::size_t at, auto value) { std::memcpy(to + at, &value, sizeof(value)); };
    std::fill_n(to, kBufferHeaderBytes, std::byte{0});
    put(0, header.storedBytes);
    put(4, header.savedOffset);
    put(8, header.offset);
    put(16, header.timeStamp);
    put(24, header.sequence);
    put(40, header.processor);
    put(42, header.loggerId);
    put(44, header.state);
    put(48, header.offset);
    put(52, header.flags);
    put(54, header.type);
}

} // namespace highwater::etl
