#pragma once

#include "core/base/byte_reader.h"

#include <cstddef>
#include <string>

namespace highwater {

/// The encoding that the byte order mark at the start of a text indicates.
enum class TextMark { None, Utf8, Utf16, Utf16Swapped };

[[nodiscard]] TextMark textMarkOf(ByteSpan bytes);
/// Length of the mark.
[[nodiscard]] std::size_t bytesOf(TextMark mark);
[[nodiscard]] bool isUtf16(TextMark mark);

/// Converts a part of a UTF-16 text, without the mark, to UTF-8. An incomplete unit at the end is dropped; unpaired
/// surrogates become U+FFFD.
[[nodiscard]] std::string utf8OfUtf16(TextMark mark, ByteSpan part);

} // namespace highwater
