#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater::source {

/// The value of a hexadecimal digit; kNoDigit for other characters.
inline constexpr std::uint8_t kNoDigit = 0xFF;
inline constexpr auto kHexDigits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(kNoDigit);
    for (std::uint8_t i = 0; i < 10; ++i)
        table[std::size_t{'0'} + i] = i;
    for (std::uint8_t i = 0; i < 6; ++i)
        table[std::size_t{'a'} + i] = table[std::size_t{'A'} + i] = static_cast<std::uint8_t>(10 + i);
    return table;
}();

/// Hexadecimal numbers in a line, separated by blanks. Numbers of more than 64 bits wrap.
class HexFields {
  public:
    explicit HexFields(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

    /// Nothing: no number follows.
    [[nodiscard]] std::optional<std::uint64_t> next() {
        while (at_ != end_ && *at_ == ' ')
            ++at_;
        std::uint64_t value = 0;
        const auto* begin = at_;
        for (; at_ != end_; ++at_) {
            const auto digit = kHexDigits[static_cast<unsigned char>(*at_)];
            if (digit == kNoDigit) break;
            value = value << 4 | digit;
        }
        if (at_ == begin || (at_ != end_ && *at_ != ' ')) return std::nullopt;
        return value;
    }
    [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  private:
    const char* at_;
    const char* end_;
};

} // namespace highwater::source
