#pragma once

#include "core/base/result.h"
#include "core/files/mapped_file.h"

#include <filesystem>
#include <memory>
#include <system_error>

namespace highwater {

/// Makes a folder, with those above it that are missing, for what nobody else is to read: what is made here is for its
/// owner alone (on Windows as the folder above it grants, which for a user's own data is the same). What is there
/// already stays as it is. False: there is no such folder. Any thread.
bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& failed);
/// Takes from others what they may do in a folder of this user; other users' folders and links stay as they are. On
/// Windows nothing: there what the folder above it grants holds. Any thread.
void closeToOthers(const std::filesystem::path& folder);
/// Maps a file whose content is believed, such as one of a cache: nobody but this user, or root, can have written it.
/// It belongs to one of the two, others cannot write it, and neither can they write the folder that it is in; it is an
/// ordinary file, no link. Error: NotFound where there is none, else why it is not believed. On Windows every file that
/// MappedFile::open() opens, because there what the folder above it grants holds. Any thread.
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> openPrivateFile(const std::filesystem::path& path);

} // namespace highwater
