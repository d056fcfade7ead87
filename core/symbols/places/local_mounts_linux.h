#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// Which file systems are mounted where, as /proc/self/mountinfo lists them: what kind of place a path is can be told
/// without touching it, which would already connect to another computer or wait for it. A value.
class LocalMounts {
  public:
    [[nodiscard]] static LocalMounts parse(std::string_view mountInfo);
    /// As they are now.
    [[nodiscard]] static LocalMounts ofThisProcess();

    /// The kind of the file system that holds an absolute path without symbolic links; "": not known.
    [[nodiscard]] std::string_view kindAt(std::string_view path) const;
    /// Whether that kind keeps its files on this computer's drives or in its memory.
    [[nodiscard]] static bool isLocalKind(std::string_view kind);

  private:
    struct Mount {
        std::string point;
        std::string kind;
    };
    std::vector<Mount> mounts_; ///< in the order in which they were mounted
};

} // namespace highwater::symbols
