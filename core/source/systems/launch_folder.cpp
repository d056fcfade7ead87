#include "core/source/systems/launch_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace highwater::source {

Result<void> checkFolder(const CaptureLaunch& launch) {
    std::error_code failure;
    if (launch.folder.empty() || std::filesystem::is_directory(launch.folder, failure)) return {};
    const auto name = launch.folder.u8string();
    return Error{ErrorKind::NotFound, fmt::format("Folder {} does not exist.", std::string(name.begin(), name.end()))};
}

} // namespace highwater::source
