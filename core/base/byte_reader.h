#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace highwater {

using ByteSpan = std::span<const std::byte>;

/// Reads a value at a fixed offset. The caller has checked the bounds.
template <typename T>
    requires std::is_trivially_copyable_v<T>
[[nodiscard]] inline T loadUnchecked(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

/// Bounds-checked little-endian reader over bytes that it does not own. Input may be too short, so every take function
/// returns an optional.
class ByteReader {
  public:
    explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t offset() const { return offset_; }
    [[nodiscard]] std::size_t remaining() const { return bytes_.size() - offset_; }

    template <typename T>
    [[nodiscard]] std::optional<T> take() {
        if (remaining() < sizeof(T)) return std::nullopt;
        const T value = loadUnchecked<T>(bytes_.data() + offset_);
        offset_ += sizeof(T);
        return value;
    }

    /// A pointer-sized value: 4 or 8 bytes, widened.
    [[nodiscard]] std::optional<std::uint64_t> takePointer(unsigned pointerBytes) {
        if (pointerBytes == 8) return take<std::uint64_t>();
        const auto narrow = take<std::uint32_t>();
        if (!narrow) return std::nullopt;
        return *narrow;
    }

    [[nodiscard]] std::optional<ByteSpan> takeBytes(std::size_t count) {
        if (remaining() < count) return std::nullopt;
        const auto part = bytes_.subspan(offset_, count);
        offset_ += count;
        return part;
    }

    bool skip(std::size_t count) { return takeBytes(count).has_value(); }

    /// UTF-16LE up to NUL or the end of the bytes, as UTF-8. Unpaired surrogates become U+FFFD.
    [[nodiscard]] std::string takeUtf16();
    /// 8-bit text up to NUL or the end of the bytes; bytes that are not UTF-8 become U+FFFD.
    [[nodiscard]] std::string takeNarrow();

  private:
    ByteSpan bytes_;
    std::size_t offset_ = 0;
};

} // namespace highwater
