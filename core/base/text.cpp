#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

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

} // namespace

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

std::string megabytes(std::uint64_t bytes) {
    constexpr double kMegabyte = 1024.0 * 1024.0;
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMegabyte);
}

std::string utf8(const std::filesystem::path& path) {
    const auto text = path.u8string();
    return {text.begin(), text.end()};
}

void appendUtf16(std::vector<std::byte>& out, std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<std::uint8_t>(text[i]);
        const unsigned more = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : 4;
        std::uint32_t codePoint = more == 0 ? first : first & (0x3Fu >> more);
        bool isWhole = more < 4 && i + more < text.size();
        for (unsigned k = 1; isWhole && k <= more; ++k) {
            const auto next = static_cast<std::uint8_t>(text[i + k]);
            isWhole = next >> 6 == 2;
            codePoint = codePoint << 6 | (next & 0x3Fu);
        }
        i += isWhole ? more + 1 : 1;
        appendCodePoint(out, isWhole ? codePoint : std::uint32_t{'?'});
    }
    appendUnit(out, 0);
}

} // namespace highwater
