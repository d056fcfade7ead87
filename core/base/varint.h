#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater {

// Numbers as LEB128: seven bits in each byte, the lowest first. The highest bit of a byte is set if another one
// follows.

inline void putVarint(std::string& out, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        out.push_back(static_cast<char>(0x80 | (number & 0x7F)));
    out.push_back(static_cast<char>(number));
}

/// Takes a number from the start of the bytes, which may be of a file. Nothing if they end within it, or if it has more
/// than 63 bits. How many bytes were taken is then unspecified.
[[nodiscard]] inline std::optional<std::uint64_t> takeVarint(std::string_view& in) {
    constexpr unsigned kMostShift = 56;
    std::uint64_t number = 0;
    for (unsigned shift = 0; !in.empty() && shift <= kMostShift; shift += 7) {
        const auto byte = static_cast<unsigned char>(in.front());
        in.remove_prefix(1);
        number |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return number;
    }
    return std::nullopt;
}

} // namespace highwater
