#include "core/base/byte_reader.h"

namespace highwater {
namespace {

void appendUtf8(std::string& out, std::uint32_t codePoint) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) {
        put(codePoint);
    } else if (codePoint < 0x800) {
        put(0xC0 | (codePoint >> 6));
        put(0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
        put(0xE0 | (codePoint >> 12));
        put(0x80 | ((codePoint >> 6) & 0x3F));
        put(0x80 | (codePoint & 0x3F));
    } else {
        put(0xF0 | (codePoint >> 18));
        put(0x80 | ((codePoint >> 12) & 0x3F));
        put(0x80 | ((codePoint >> 6) & 0x3F));
        put(0x80 | (codePoint & 0x3F));
    }
}

constexpr std::uint32_t kReplacement = 0xFFFD;

bool isHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool isLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Length of the valid UTF-8 sequence at the start of text, or 0.
std::size_t validUtf8Length(ByteSpan text) {
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(text[i]); };
    const auto lead = at(0);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : (lead & 0xF0) == 0xE0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0) != 0x80) return 0;
    }
    if (lead == 0xE0 && at(1) < 0xA0) return 0; // overlong
    if (lead == 0xED && at(1) >= 0xA0) return 0; // surrogate
    if (lead == 0xF0 && at(1) < 0x90) return 0; // overlong
    if (lead == 0xF4 && at(1) >= 0x90) return 0; // beyond U+10FFFF
    return length;
}

} // namespace

std::string ByteReader::takeUtf16() {
    std::string out;
    while (auto unit = take<std::uint16_t>()) {
        if (*unit == 0) break;
        std::uint32_t codePoint = *unit;
        if (isHighSurrogate(codePoint)) {
            const auto saved = offset_;
            const auto low = take<std::uint16_t>();
            if (low && isLowSurrogate(*low)) {
                codePoint = 0x10000 + ((codePoint - 0xD800) << 10) + (*low - 0xDC00u);
            } else {
                offset_ = saved;
                codePoint = kReplacement;
            }
        } else if (isLowSurrogate(codePoint)) {
            codePoint = kReplacement;
        }
        appendUtf8(out, codePoint);
    }
    return out;
}

std::string ByteReader::takeNarrow() {
    std::string out;
    while (remaining() > 0) {
        const auto rest = bytes_.subspan(offset_);
        if (rest[0] == std::byte{0}) {
            ++offset_;
            break;
        }
        const auto length = validUtf8Length(rest);
        if (length == 0) {
            appendUtf8(out, kReplacement);
            ++offset_;
            continue;
        }
        out.append(reinterpret_cast<const char*>(rest.data()), length);
        offset_ += length;
    }
    return out;
}

} // namespace highwater
