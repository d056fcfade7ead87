#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace highwater {
namespace {

void appendUnit(std::vector<std::byte>& out, std::uint32_t unit) {
    out.push_back(static_cast<std::byte>(unit));
    out.push_back(static_cast<std::byte>(unit >> 8));
}

void appendCodePoint(std::vector<std::byte>& out, std::uint32_t codePoint) {
    if (codePoint < 0x10000) return appendUnit(out, codePoint);
    appendUnit(out, 0xD800 + ((codePoint - 0x10000) >> 10));
    appendUnit(out, 0xDC00 + ((codePoint - 0x10000) & 0x3FF));
}

/// One UTF-8 code point, or the first byte of an invalid sequence.
struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
    bool isWhole = false;
};

CodePoint codePointAt(std::string_view text, std::size_t at) {
    const auto first = static_cast<std::uint8_t>(text[at]);
    const unsigned more = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : 4;
    CodePoint point{more == 0 ? first : first & (0x3Fu >> more), 1, more < 4 && at + more < text.size()};
    for (unsigned k = 1; point.isWhole && k <= more; ++k) {
        const auto next = static_cast<std::uint8_t>(text[at + k]);
        point.isWhole = next >> 6 == 2;
        point.value = point.value << 6 | (next & 0x3Fu);
    }
    // Overlong sequences, surrogates and values above the last code point are invalid.
    constexpr std::array<std::uint32_t, 4> kLeast{0, 0x80, 0x800, 0x10000};
    const bool isHalf = point.value >= 0xD800 && point.value <= 0xDFFF;
    point.isWhole = point.isWhole && point.value >= kLeast[more] && point.value <= 0x10FFFF && !isHalf;
    if (point.isWhole) point.bytes = more + 1;
    return point;
}

} // namespace

bool isHiddenCharacter(char32_t character) {
    const auto isIn = [character](char32_t first, char32_t last) { return character >= first && character <= last; };
    return isIn(0, 0x1F) || isIn(0x7F, 0x9F) || character == 0xAD || character == 0x61C || character == 0x200B ||
           isIn(0x200E, 0x200F) || isIn(0x2028, 0x202E) || isIn(0x2060, 0x206F) || character == 0xFEFF ||
           isIn(0xFFF9, 0xFFFB) || character == 0x34F || isIn(0x115F, 0x1160) || isIn(0x17B4, 0x17B5) ||
           isIn(0x180B, 0x180F) || character == 0x3164 || character == 0xFFA0 || isIn(0x1BCA0, 0x1BCA3) ||
           isIn(0x1D173, 0x1D17A) || isIn(0xE0000, 0xE0FFF);
}

std::string_view fileName(std::string_view path) {
    const auto slash = path.find_last_of("\\/");
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\f\v";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lowered(std::string_view text) {
    std::string result(text);
    for (auto& c : result)
        c = lowered(c);
    return result;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lowered(x) == lowered(y); });
}

std::string allDecimals(TraceTime time) {
    constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    const auto ns = magnitude(time.ns);
    return fmt::format("{}{}.{:09}", time.ns < 0 ? "-" : "", ns / kNsPerSecond, ns % kNsPerSecond);
}

std::string secondsText(TraceTime time) {
    auto text = allDecimals(time);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

TwoTexts distinctBytes(std::uint64_t first, std::uint64_t last) {
    TwoTexts texts{bytesText(first), bytesText(last)};
    if (first == last || texts.first != texts.last) return texts;
    return {thousands(first) + " B", thousands(last) + " B"};
}

TwoTexts distinctSeconds(TraceTime first, TraceTime last, int decimals) {
    constexpr int kMostDecimals = 8; // nine show every nanosecond, and a double may lack them
    for (; decimals <= kMostDecimals; ++decimals) {
        TwoTexts texts{fmt::format("{:.{}f}", first.seconds(), decimals),
                       fmt::format("{:.{}f}", last.seconds(), decimals)};
        if (first == last || texts.first != texts.last) return texts;
    }
    return {allDecimals(first), allDecimals(last)};
}

std::string betweenText(TraceTime first, TraceTime last, int decimals) {
    const auto texts = distinctSeconds(first, last, decimals);
    return first == last ? fmt::format("at {} s", texts.first)
                         : fmt::format("between {} s and {} s", texts.first, texts.last);
}

std::string thousands(std::uint64_t number) {
    auto digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

/// Rounds halves up, as in the window; printf would print 781.25 as 781.2.
static double tenths(double amount) { return std::round(amount * 10) / 10; }

std::string bytesText(std::uint64_t bytes) {
    constexpr std::array kNames{"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1024) return thousands(bytes) + " B";
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 1,048,575 B would round to "1,024.0 KB".
    while (std::round(amount * 10) >= 10240 && unit + 1 < kNames.size()) {
        amount /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", tenths(amount), kNames[unit]);
}

std::string megabytes(std::uint64_t bytes) {
    constexpr double kMegabyte = 1024.0 * 1024.0;
    return fmt::format("{:.1f} MB", tenths(static_cast<double>(bytes) / kMegabyte));
}

std::string_view startOfText(std::string_view text, std::size_t mostBytes) {
    if (text.size() <= mostBytes) return text;
    auto end = mostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) {
        --end;
    }
    return text.substr(0, end);
}

std::string utf8(const std::filesystem::path& path) {
    const auto text = path.u8string();
    return {text.begin(), text.end()};
}

void appendUtf16(std::vector<std::byte>& out, std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto point = codePointAt(text, i);
        i += point.bytes;
        appendCodePoint(out, point.isWhole ? point.value : std::uint32_t{'?'});
    }
    appendUnit(out, 0);
}

/// Joiners are letters in some scripts and invisible in others, where names that differ only in a joiner would look the
/// same.
static bool joinsNothing(std::string_view text, std::size_t at, const CodePoint& point) {
    constexpr std::uint32_t kNonJoiner = 0x200C, kJoiner = 0x200D;
    if (point.value != kNonJoiner && point.value != kJoiner) return false;
    const auto isLetterOfOther = [&](std::size_t place) {
        return place < text.size() && static_cast<unsigned char>(text[place]) >= 0x80;
    };
    return at == 0 || !isLetterOfOther(at - 1) || !isLetterOfOther(at + point.bytes);
}

std::string printable(std::string_view text) {
    constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const auto point = codePointAt(text, i);
        const bool isShown = point.isWhole && !isHiddenCharacter(point.value) && !joinsNothing(text, i, point);
        result += isShown ? text.substr(i, point.bytes) : kReplacement;
        i += point.bytes;
    }
    return result;
}

} // namespace highwater
