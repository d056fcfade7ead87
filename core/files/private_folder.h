#pragma once

#include <filesystem>
#include <system_error>

namespace highwater {

/// Makes a folder, with those above it that are missing, for what nobody else is to read: what is made here is for its
/// owner alone (on Windows as the folder above it grants, which for a user's own data is the same). What is there
/// already stays as it is. False: there is no such folder. Any thread.
bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& failed);
/// Takes from others what they may do in a folder of this user; other users' folders and links stay as they are. On
/// Windows nothing: there what the folder above it grants holds. Any thread.
void closeToOthers(const std::filesystem::path& folder);

} // namespace highwater
