#include "app/cli/arguments/text_file.h"

#include <array>
#include <fstream>

namespace highwater::cli {

/// By read(), which reports what goes wrong: an iterator over the stream throws, for one on a folder.
std::optional<std::string> contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 4096> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad()) return std::nullopt;
    return text;
}

} // namespace highwater::cli
