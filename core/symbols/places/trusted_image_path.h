#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// The rule for paths that come from files (images in a trace, file.ptr, .gnu_debugaltlink), because they were chosen
/// by the creator of the file. Accessing \\host\share makes Windows log on there, and /net/host connects; devices block
/// or do something. So only files on fixed local drives are accessed, by their plain absolute path. Any thread.

enum class PathStyle { Linux, Windows };
#ifdef _WIN32
inline constexpr PathStyle kOwnPathStyle = PathStyle::Windows;
#else
inline constexpr PathStyle kOwnPathStyle = PathStyle::Linux;
#endif

/// Why the text is not a plain absolute path, as the end of a sentence ("is a network path"); "": it is. Checks only
/// the text.
[[nodiscard]] std::string objectionTo(std::string_view path, PathStyle style = kOwnPathStyle);

/// The ordinary file at a path, if every step of the path is on fixed local drives: its path without symbolic links.
/// Detects network drives without accessing them. Error: why the path is skipped, or ErrorKind::NotFound ("not found").
[[nodiscard]] Result<std::filesystem::path> trustedPath(std::string_view path);

enum class PlaceBelow {
    NotThere,
    File, ///< an ordinary file
    Folder,
    Link,  ///< a symbolic link or junction on the way
    Other, ///< a device, pipe or socket, or the place is not below the folder
};
/// Type of a place in an untrusted folder, or of the folder itself. Goes step by step, starting with the folder, and
/// stops at the first link without following it. Both paths must be absolute, or both relative.
[[nodiscard]] PlaceBelow placeTypeBelow(const std::filesystem::path& folder, const std::filesystem::path& place);

/// Whether a name from a file (of a module, a PDB) is a plain file name on every system: not a path out of the folder,
/// not a device, not a stream.
[[nodiscard]] bool isPlainName(std::string_view name);

} // namespace highwater::symbols
