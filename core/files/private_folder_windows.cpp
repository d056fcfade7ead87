#include "core/files/private_folder.h"

namespace highwater {

bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& failed) {
    std::filesystem::create_directories(folder, failed);
    std::error_code unknown;
    return std::filesystem::is_directory(folder, unknown);
}

void closeToOthers(const std::filesystem::path&) {}

Result<std::shared_ptr<const MappedFile>> openPrivateFile(const std::filesystem::path& path) {
    return MappedFile::open(path);
}

} // namespace highwater
