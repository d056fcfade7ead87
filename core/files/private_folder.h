#pragma once

#include "core/base/result.h"
#include "core/files/mapped_file.h"

#include <filesystem>
#include <memory>
#include <system_error>

namespace highwater {

/// Creates a folder for private data, and its missing parents, accessible only by its owner (on Windows with the rights
/// of the parent folder, which for a user's own data is the same). Existing folders are not changed. False if there is
/// no such folder. Any thread.
bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& failed);
/// Removes the rights of others in a folder of this user; folders of other users and links are not changed. Does
/// nothing on Windows, where the rights of the parent folder apply. Any thread.
void closeToOthers(const std::filesystem::path& folder);
/// Maps a file whose contents are trusted, such as one of a cache: only this user or root can have written it. It
/// belongs to one of the two, others can write neither it nor its folder, and it is an ordinary file and not a link.
/// Error: NotFound if it does not exist; otherwise the reason why it is not trusted. On Windows this accepts every file
/// that MappedFile::open() opens, because the rights of the parent folder apply there. Any thread.
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> openPrivateFile(const std::filesystem::path& path);

} // namespace highwater
