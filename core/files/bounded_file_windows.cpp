#include "core/base/text.h"
#include "core/files/bounded_file.h"

#include <array>
#include <fmt/format.h>
#include <fstream>

namespace highwater {

/// Windows pipes have their own names, which are not file paths, so there is no timeout.
Result<std::string> readBounded(const std::filesystem::path& path, std::size_t mostBytes, PipePatience /*patience*/) {
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 4096> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > mostBytes)
            return Error{ErrorKind::Io,
                         fmt::format("Cannot read {}: it is larger than {}.", utf8(path), bytesText(mostBytes))};
    }
    if (!file.is_open() || file.bad()) return Error{ErrorKind::NotFound, fmt::format("Cannot read {}.", utf8(path))};
    return text;
}

} // namespace highwater
