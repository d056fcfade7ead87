#include "app/cli/arguments/text_file.h"

#include "core/base/byte_reader.h"
#include "core/files/bounded_file.h"

#include <cstddef>
#include <span>
#include <utility>

namespace highwater::cli {

Result<std::string> contentOf(const std::string& path) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    return readBounded(path, kMost);
}

Result<std::string> textOf(const std::string& path) {
    auto read = contentOf(path);
    if (!read.hasValue()) return read;
    auto& text = read.value();
    const bool isSwapped = text.starts_with("\xFE\xFF");
    if (!isSwapped && !text.starts_with("\xFF\xFE")) return read;
    if (isSwapped)
        for (std::size_t i = 0; i + 1 < text.size(); i += 2)
            std::swap(text[i], text[i + 1]);
    return ByteReader(std::as_bytes(std::span(text)).subspan(2)).takeUtf16();
}

} // namespace highwater::cli
