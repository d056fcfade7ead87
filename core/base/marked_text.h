#pragma once

#include "core/base/byte_reader.h"

#include <cstddef>
#include <string>

namespace highwater {

/// What the first bytes of a text say of its encoding (byte order mark).
enum class TextMark { None, Utf8, Utf16, Utf16Swapped };

[[nodiscard]] TextMark textMarkOf(ByteSpan bytes);
/// How long the mark itself is.
[[nodiscard]] std::size_t bytesOf(TextMark mark);
[[nodiscard]] bool isUtf16(TextMark mark);

/// A part of a text in UTF-16, without the mark, as UTF-8. A last half of a unit is left out; halves of pairs become
/// U+FFFD.
[[nodiscard]] std::string utf8OfUtf16(TextMark mark, ByteSpan part);

} // namespace highwater
