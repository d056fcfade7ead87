#include "core/files/file_data.h"

#include "core/files/owned_file_linux.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater {

std::vector<FileRange> dataIn(const std::filesystem::path& path, std::size_t most) {
    std::vector<FileRange> parts;
    const OwnedFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!file.isOpen() || ::fstat(file.number(), &status) != 0) return parts;
    for (off_t at = 0; at < status.st_size;) {
        const auto data = ::lseek(file.number(), at, SEEK_DATA);
        if (data < 0 && errno == ENXIO) break; // the rest is a hole
        const auto hole = data < 0 || parts.size() + 1 >= most ? -1 : ::lseek(file.number(), data, SEEK_HOLE);
        const auto begin = data < 0 ? at : data, end = hole <= begin ? status.st_size : hole;
        parts.push_back({static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end)});
        at = end;
    }
    return parts;
}

} // namespace highwater
