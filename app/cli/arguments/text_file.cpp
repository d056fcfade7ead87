#include "app/cli/arguments/text_file.h"

#include "core/base/byte_reader.h"

#include <array>
#include <cstddef>
#include <fstream>
#include <span>
#include <utility>

namespace highwater::cli {

/// By read(), which reports what goes wrong: an iterator over the stream throws, for one on a folder.
std::optional<std::string> contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 4096> part{};
    constexpr std::size_t kMost = std::size_t{64} << 20; // a device may have no end
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMost) return std::nullopt;
    }
    if (!file.is_open() || file.bad()) return std::nullopt;
    return text;
}

std::optional<std::string> textOf(const std::string& path) {
    auto text = contentOf(path);
    const bool isSwapped = text && text->starts_with("\xFE\xFF");
    if (!text || (!isSwapped && !text->starts_with("\xFF\xFE"))) return text;
    if (isSwapped)
        for (std::size_t i = 0; i + 1 < text->size(); i += 2)
            std::swap((*text)[i], (*text)[i + 1]);
    return ByteReader(std::as_bytes(std::span(*text)).subspan(2)).takeUtf16();
}

} // namespace highwater::cli
