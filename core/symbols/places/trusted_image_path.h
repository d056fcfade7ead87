#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// The one rule for paths that files say (images in a trace, file.ptr, .gnu_debugaltlink): whoever made the file chose
/// them. To look at \\host\share makes Windows log on there, and /net/host connects; devices wait or do something. So
/// only files on fixed local drives are looked at, by their plain absolute path. Any thread.

enum class PathStyle { Linux, Windows };
#ifdef _WIN32
inline constexpr PathStyle kOwnPathStyle = PathStyle::Windows;
#else
inline constexpr PathStyle kOwnPathStyle = PathStyle::Linux;
#endif

/// Why the text is no plain absolute path, as the end of a sentence ("is a network path"); "": it is one.
/// Looks at the text only.
[[nodiscard]] std::string objectionTo(std::string_view path, PathStyle style = kOwnPathStyle);

/// The ordinary file that a path leads to, if every step of the way lies on fixed local drives: its path without
/// symbolic links. Network drives are told without touching them. Error: why it is not looked at, or that it is not
/// there (ErrorKind::NotFound, "not there").
[[nodiscard]] Result<std::filesystem::path> trustedPath(std::string_view path);

enum class PlaceBelow {
    NotThere,
    File, ///< an ordinary one
    Folder,
    Link,  ///< a step on the way leads elsewhere: a symbolic link, a junction
    Other, ///< a device, a pipe, a socket; or the place is not below the folder
};
/// What lies at a place below a folder that a stranger made, or in the folder's own place. Goes there step by step from
/// the folder (itself included) and stops at the first link: nothing behind it is touched. Both paths as text alike:
/// both absolute or both relative.
[[nodiscard]] PlaceBelow lookBelow(const std::filesystem::path& folder, const std::filesystem::path& place);

/// Whether a name that a file says (of a module, a PDB) is that of one file in a folder, on every system: no way out of
/// the folder, no device, no stream.
[[nodiscard]] bool isPlainName(std::string_view name);

} // namespace highwater::symbols
