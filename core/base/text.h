#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The name after the last slash of either kind, because traces contain paths of both systems. The whole path if it has
/// no slash.
[[nodiscard]] std::string_view fileName(std::string_view path);
/// Without blanks, tabs and line ends at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// ASCII only. Used to compare names of files and columns, and command words.
[[nodiscard]] constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] std::string lowered(std::string_view text);
[[nodiscard]] bool equalsIgnoringCase(std::string_view a, std::string_view b);
[[nodiscard]] constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
/// "132,120,576".
[[nodiscard]] std::string thousands(std::uint64_t number);
/// In the largest unit of 1024 with at least one digit before the point: "40 B", "126.0 MB".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);
/// "12.3 MB", in units of 1,048,576 bytes: for sentences.
[[nodiscard]] std::string megabytes(std::uint64_t bytes);
/// In seconds with full precision, without trailing zeros: "2", "15.25", "-0.000000001". Not for kBeforeTrace or
/// kNever.
[[nodiscard]] std::string secondsText(TraceTime time);
/// The same with all nine decimals, to align times: "34.000000000".
[[nodiscard]] std::string allDecimals(TraceTime time);
struct TwoTexts {
    std::string first;
    std::string last;
};
/// Two amounts, to be compared, by bytesText(). Different amounts look different: if necessary they are exact,
/// "1,048,577 B" and "1,048,576 B".
[[nodiscard]] TwoTexts distinctBytes(std::uint64_t first, std::uint64_t last);
/// Two times in seconds, to be read together, with `decimals` digits. Different times look different, so the digits
/// increase if necessary: "0.02" and "0.03", but "0.0213" and "0.0214".
[[nodiscard]] TwoTexts distinctSeconds(TraceTime first, TraceTime last, int decimals);
/// "between 1.50 s and 2.00 s" in these digits, or "at 1.50 s" if the times are equal.
[[nodiscard]] std::string betweenText(TraceTime first, TraceTime last, int decimals);
/// At most `mostBytes` bytes of UTF-8, without an incomplete character at the end.
[[nodiscard]] std::string_view startOfText(std::string_view text, std::size_t mostBytes);
/// For messages, and for everything that stores paths as text.
[[nodiscard]] std::string utf8(const std::filesystem::path& path);
/// Appends UTF-8 as little-endian UTF-16 with a NUL: the counterpart of ByteReader::takeUtf16. Invalid bytes become
/// question marks because paths may contain any bytes.
void appendUtf16(std::vector<std::byte>& out, std::string_view text);
/// Whether the character is invisible, interpreted by terminals, or changes the position of other characters. Two names
/// that differ only in such characters look the same. Joiners are letters in some scripts.
[[nodiscard]] bool isHiddenCharacter(char32_t character);
/// Makes text from a trace safe for a terminal: hidden characters and invalid UTF-8 bytes become one U+FFFD each, so
/// that columns stay aligned (the window has room to show which). All text output for people passes through here, line
/// by line.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace highwater
