#include "core/symbols/elf/mini_debug.h"

#include <lzma.h>

#include <algorithm>
#include <memory>

namespace highwater::symbols {

bool readsMiniDebugInfo() { return true; }

std::optional<std::vector<std::byte>> unpackMiniDebugInfo(ByteSpan packed, std::uint64_t mostBytes) {
    constexpr std::uint64_t kMostMemory = std::uint64_t{128} << 20; // twice the memory of xz -9
    constexpr std::uint64_t kStep = std::uint64_t{256} << 10;
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, kMostMemory, 0) != LZMA_OK) return std::nullopt;
    const std::unique_ptr<lzma_stream, decltype(&lzma_end)> ended(&stream, lzma_end);
    stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream.avail_in = packed.size();
    std::vector<std::byte> unpacked;
    auto state = LZMA_OK;
    while (state == LZMA_OK && stream.total_out < mostBytes) {
        const auto room = std::min(std::max(kStep, stream.total_out), mostBytes - stream.total_out);
        unpacked.resize(stream.total_out + room);
        stream.next_out = reinterpret_cast<std::uint8_t*>(unpacked.data()) + stream.total_out;
        stream.avail_out = room;
        state = lzma_code(&stream, LZMA_FINISH);
    }
    if (state != LZMA_STREAM_END) return std::nullopt;
    unpacked.resize(stream.total_out);
    return unpacked;
}

} // namespace highwater::symbols
