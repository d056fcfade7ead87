#include "core/base/marked_text.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace highwater {

TextMark textMarkOf(ByteSpan bytes) {
    const auto begins = [&](std::string_view mark) {
        return bytes.size() >= mark.size() && std::memcmp(bytes.data(), mark.data(), mark.size()) == 0;
    };
    if (begins("\xEF\xBB\xBF")) return TextMark::Utf8;
    if (begins("\xFF\xFE")) return TextMark::Utf16;
    return begins("\xFE\xFF") ? TextMark::Utf16Swapped : TextMark::None;
}

std::size_t bytesOf(TextMark mark) { return mark == TextMark::None ? 0 : mark == TextMark::Utf8 ? 3 : 2; }

bool isUtf16(TextMark mark) { return mark == TextMark::Utf16 || mark == TextMark::Utf16Swapped; }

std::string utf8OfUtf16(TextMark mark, ByteSpan part) {
    std::vector<std::byte> swapped;
    if (mark == TextMark::Utf16Swapped) {
        swapped.assign(part.begin(), part.end());
        for (std::size_t i = 0; i + 1 < swapped.size(); i += 2)
            std::swap(swapped[i], swapped[i + 1]);
        part = swapped;
    }
    std::string text;
    ByteReader reader(part);
    while (reader.remaining() > 1) {
        text += reader.takeUtf16();
        // The reader also ends at a NUL, which is part of the text here.
        const bool isNul = reader.offset() > 1 && part[reader.offset() - 1] == std::byte{0} &&
                           part[reader.offset() - 2] == std::byte{0};
        if (isNul) text += '\0';
    }
    return text;
}

} // namespace highwater
