#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The name behind the last slash of either kind: traces hold paths of both systems. The whole of it without one.
[[nodiscard]] std::string_view fileName(std::string_view path);
/// Without the blanks (also tabs and line ends) at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// ASCII alone: what names of files, columns and words of commands are compared by.
[[nodiscard]] constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] std::string lowered(std::string_view text);
[[nodiscard]] bool equalsIgnoringCase(std::string_view a, std::string_view b);
/// "132,120,576".
[[nodiscard]] std::string thousands(std::uint64_t number);
/// In the largest unit of 1024 that leaves something before the point: "40 B", "126.0 MB".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);
/// "12.3 MB", of 1,048,576 bytes each: for sentences.
[[nodiscard]] std::string megabytes(std::uint64_t bytes);
/// All nanoseconds, without zeros at the end: "2", "15.25", "-0.000000001". Of times that are neither kBeforeTrace nor
/// kNever.
[[nodiscard]] std::string secondsText(TraceTime time);
/// The same with all nine decimals, so that times line up: "34.000000000".
[[nodiscard]] std::string allDecimals(TraceTime time);
/// At most so many bytes of UTF-8, without the first half of a character at its end.
[[nodiscard]] std::string_view startOfText(std::string_view text, std::size_t mostBytes);
/// For messages, and for all that holds paths as text.
[[nodiscard]] std::string utf8(const std::filesystem::path& path);
/// Appends UTF-8 as UTF-16, little-endian, with its NUL: the counterpart of ByteReader::takeUtf16. Each byte that is no
/// UTF-8 becomes a question mark: paths are whatever bytes somebody chose.
void appendUtf16(std::vector<std::byte>& out, std::string_view text);
/// Nothing is drawn for it, terminals act on it, or it changes where other characters are drawn: two names that differ
/// in such look alike. Joiners are letters of some scripts.
[[nodiscard]] bool isHiddenCharacter(char32_t character);
/// Text from a trace as a terminal may be given it: hidden characters and bytes that are no UTF-8 become U+FFFD each, so
/// that columns stay in line (the window, which has room, says which). What is printed for people passes through here,
/// line by line.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace highwater
