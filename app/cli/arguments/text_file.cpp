#include "app/cli/arguments/text_file.h"

#include "core/base/marked_text.h"
#include "core/files/bounded_file.h"

#include <cstddef>
#include <span>

namespace highwater::cli {

Result<std::string> contentOf(const std::string& path) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    return readBounded(path, kMost);
}

Result<std::string> textOf(const std::string& path) {
    auto text = TRY(contentOf(path));
    const auto bytes = std::as_bytes(std::span(text));
    const auto mark = textMarkOf(bytes);
    if (!isUtf16(mark)) return text;
    return utf8OfUtf16(mark, bytes.subspan(bytesOf(mark)));
}

} // namespace highwater::cli
