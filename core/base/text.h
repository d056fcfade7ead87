#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The name behind the last slash of either kind: traces hold paths of both systems. The whole of it without one.
[[nodiscard]] std::string_view fileName(std::string_view path);
/// For messages, and for all that holds paths as text.
[[nodiscard]] std::string utf8(const std::filesystem::path& path);
/// Appends UTF-8 as UTF-16, little-endian, with its NUL: the counterpart of ByteReader::takeUtf16. Each byte that is no
/// UTF-8 becomes a question mark: paths are whatever bytes somebody chose.
void appendUtf16(std::vector<std::byte>& out, std::string_view text);

} // namespace highwater
