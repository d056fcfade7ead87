#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// The mounted file systems, as listed in /proc/self/mountinfo. They give the type of a place without accessing it,
/// which could connect to another computer or block. A value.
class LocalMounts {
  public:
    [[nodiscard]] static LocalMounts parse(std::string_view mountInfo);
    /// The current mounts.
    [[nodiscard]] static LocalMounts ofThisProcess();

    /// The type of the file system that contains an absolute path without symbolic links; "": unknown.
    [[nodiscard]] std::string_view kindAt(std::string_view path) const;
    /// Whether file systems of that type store files on this computer's drives or in its memory.
    [[nodiscard]] static bool isLocalKind(std::string_view kind);

  private:
    struct Mount {
        std::string point;
        std::string kind;
    };
    std::vector<Mount> mounts_; ///< in the order of mounting
};

} // namespace highwater::symbols
