#pragma once

#include "core/base/byte_reader.h"
#include "core/base/varint.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace highwater::fleet {

/// ClickHouse's format RowBinary: consecutive values, little-endian numbers, texts and arrays with their lengths.
class RowBinaryWriter {
  public:
    template <typename Number>
    requires std::is_integral_v<Number> RowBinaryWriter& add(Number number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
        return *this;
    }
    RowBinaryWriter& addText(std::string_view text) {
        addLength(text.size());
        bytes_.append(text);
        return *this;
    }
    /// For a FixedString.
    RowBinaryWriter& addBytes(ByteSpan bytes) {
        bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return *this;
    }
    /// The length of an array, followed by its elements.
    RowBinaryWriter& addLength(std::size_t length) {
        putVarint(bytes_, length);
        return *this;
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::string take() {
        std::string taken; // std::exchange triggers a false bounds warning in GCC 12
        taken.swap(bytes_);
        return taken;
    }

  private:
    std::string bytes_;
};

/// Reads an answer in that format. A value that is missing or longer than the rest is 0 or empty, and so are all later
/// values; then isWhole() is false.
class RowBinaryReader {
  public:
    explicit RowBinaryReader(ByteSpan bytes) : reader_(bytes) {}

    [[nodiscard]] bool isAtEnd() const { return reader_.remaining() == 0 || !isWhole_; }
    [[nodiscard]] bool isWhole() const { return isWhole_; }

    template <typename Number>
    Number take() {
        const auto value = isWhole_ ? reader_.take<Number>() : std::nullopt;
        if (!value) isWhole_ = false;
        return value.value_or(Number{});
    }
    std::string takeText() { return textOf(takeBytes(takeLength())); }
    std::string takeText(std::size_t bytes) { return textOf(takeBytes(bytes)); }
    ByteSpan takeBytes(std::size_t count) {
        const auto bytes = isWhole_ ? reader_.takeBytes(count) : std::nullopt;
        if (!bytes) isWhole_ = false;
        return bytes.value_or(ByteSpan());
    }
    /// The length of an array; 0 if the rest is too short for that many elements of at least `leastBytes`.
    std::size_t takeLength(std::size_t leastBytes = 1) {
        std::uint64_t length = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = take<std::uint8_t>();
            length |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if ((byte & 0x80) != 0) continue;
            if (length <= reader_.remaining() / leastBytes) return static_cast<std::size_t>(length);
            break;
        }
        isWhole_ = false;
        return 0;
    }
    std::vector<std::string> takeTexts() {
        constexpr std::size_t kMostTexts = 1u << 20; // a text of one byte takes 32 bytes in memory
        const auto count = takeLength();
        if (count > kMostTexts) isWhole_ = false;
        std::vector<std::string> texts(isWhole_ ? count : 0);
        for (auto& text : texts)
            text = takeText();
        return texts;
    }

  private:
    static std::string textOf(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

    ByteReader reader_;
    bool isWhole_ = true;
};

} // namespace highwater::fleet
